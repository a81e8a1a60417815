// Ends a scene behind a message; the earlier messages are recapped and folded once the story tells them.
const NOT_HERE = ["invalid", "conflict", "not_found"];

export function setUpScene({ ask, strings, toast }) {
  return async function end(item) {
    const answer = await ask("scenes/", "POST", { last_message: Number(item.dataset.message) });
    item.querySelector(".message__more")?.focus();
    if (!answer.ok) return toast(NOT_HERE.includes(answer.code) ? strings.scene_not_ended : answer.detail, { alert: true });
    return toast(strings.scene_ended, { undo: () => ask(`scenes/${answer.body.id}/`, "DELETE") });
  };
}
