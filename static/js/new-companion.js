// Writing a companion: drafts that are offered beside what was typed, the picture a card brought, a sign while a draft is made.
function take(button) {
  const offer = button.closest("[data-offer]");
  const field = document.getElementById(button.dataset.take);
  field.value = offer.querySelector("[data-offer-text]").textContent;
  offer.remove();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

function setUpPicture(form) {
  const holder = form.querySelector("[data-picture]");
  const field = form.elements.avatar;
  const show = () => {
    const isPicture = field.value.startsWith("data:image/webp;base64,");
    holder.hidden = !isPicture;
    if (isPicture) holder.querySelector("img").src = field.value;
  };
  holder.querySelector("[data-picture-remove]").addEventListener("click", () => {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    show();
  });
  show();
}

function showDrafting(form, button) {
  form.addEventListener("submit", (event) => {
    if (event.submitter !== button) return;
    form.querySelector("[data-drafting]").hidden = false;
    // After the form's values are taken: a disabled button would not be among them.
    setTimeout(() => { button.disabled = true; });
  });
  // A page that comes back from the browser's memory is as it was left.
  addEventListener("pageshow", () => {
    button.disabled = false;
    form.querySelector("[data-drafting]").hidden = true;
  });
}

for (const form of document.querySelectorAll("form[data-beginning]")) {
  setUpPicture(form);
  for (const button of form.querySelectorAll("[data-take]")) button.addEventListener("click", () => take(button));
  const draft = form.querySelector("[data-draft]");
  if (draft) showDrafting(form, draft);
}
document.getElementById("draft")?.scrollIntoView({ block: "center" });
