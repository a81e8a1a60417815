// The fact that the next message asks to change, as the chip on the composer says.
const chip = document.querySelector("[data-about]");

function drop() {
  chip.remove();
  history.replaceState(history.state, "", location.pathname);
}

// Once: the message after that is about nothing in particular.
export function takeAbout() {
  if (!chip?.isConnected) return null;
  drop();
  return Number(chip.dataset.about);
}

chip?.querySelector("[data-about-drop]").addEventListener("click", () => {
  drop();
  document.querySelector("[data-composer] textarea").focus();
});
