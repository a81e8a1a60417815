// Tells which rules of a password are met while one types. What is common only the server knows.
function isLike(password, name) {
  const [said, own] = [password.toLowerCase(), name.toLowerCase()];
  return own !== "" && (said.includes(own) || own.includes(said));
}

const RULES = {
  length: (password) => [...password].length >= 8,
  letters: (password) => /\D/.test(password),
  name: (password, name) => password !== "" && !isLike(password, name),
};

for (const list of document.querySelectorAll("[data-password-rules]")) {
  const field = document.getElementById(list.dataset.passwordRules);
  const name = field.form.querySelector("[name=username]");
  const show = () => {
    for (const rule of list.querySelectorAll("[data-rule]")) {
      const isMet = RULES[rule.dataset.rule](field.value, name?.value ?? "");
      rule.classList.toggle("is-met", isMet);
      rule.querySelector(".sr-only").hidden = !isMet;
    }
  };
  field.addEventListener("input", show);
  // Why another password was refused gives way to the rules of this one.
  field.addEventListener("input", () => list.parentElement.querySelector(".field__error")?.remove(), { once: true });
  name?.addEventListener("input", show);
  // Something may be typed before this script is loaded.
  show();
}
