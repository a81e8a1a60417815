"""The model servers that the Model page offers, each with the address of its API: the one list to maintain.

An address can be changed on the page, so an entry that is out of date does no harm.
"""

from dataclasses import dataclass

from echovessel.llm.connection import OPENAI


@dataclass(frozen=True)
class KnownServer:
    """A service, or a program that serves models at its default address."""

    slug: str
    name: str
    address: str


SERVICES = (
    KnownServer("openai", "OpenAI", OPENAI),
    KnownServer("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
    KnownServer("groq", "Groq", "https://api.groq.com/openai/v1"),
    KnownServer("mistral", "Mistral", "https://api.mistral.ai/v1"),
    KnownServer("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
    KnownServer("qwen", "Qwen (DashScope)", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
    KnownServer("moonshot", "Moonshot (Kimi)", "https://api.moonshot.cn/v1"),
    KnownServer("zhipu", "Zhipu (GLM)", "https://open.bigmodel.cn/api/paas/v4"),
    KnownServer("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
)
# Looked for on this machine.
LOCAL_PROGRAMS = (
    KnownServer("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    KnownServer("llama-cpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
    KnownServer("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1"),
)
# Not looked for: its default port is this server's own.
VLLM = KnownServer("vllm", "vLLM", "http://127.0.0.1:8000/v1")
PRESETS = (*SERVICES, *LOCAL_PROGRAMS, VLLM)


def find_preset(slug: str) -> KnownServer | None:
    return next((preset for preset in PRESETS if preset.slug == slug), None)
