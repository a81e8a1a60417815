// Fields for greetings: one to write another is shown at a time.
function setUpGreetingFields(root) {
  const button = root.querySelector("[data-add-greeting]");
  const hiddenOnes = () => [...root.querySelectorAll(":scope > div[hidden]")];
  const show = () => { button.hidden = !hiddenOnes().length; };
  for (const one of hiddenOnes()) {
    if (one.querySelector("textarea").value) one.hidden = false;
  }
  button.addEventListener("click", () => {
    const [next] = hiddenOnes();
    next.hidden = false;
    next.querySelector("textarea").focus();
    show();
  });
  show();
}

document.querySelectorAll("[data-greeting-fields]").forEach(setUpGreetingFields);
