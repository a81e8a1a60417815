// An older chat that the next message goes on with, as the chip on the composer says.
const chip = document.querySelector("[data-continued]");

export function continueChat({ id, name }) {
  chip.dataset.continued = id;
  chip.querySelector("[data-continued-title]").textContent = name;
  chip.hidden = false;
  document.getElementById("say").focus();
}

function drop() {
  chip.hidden = true;
  chip.dataset.continued = "";
}

// Once: from then on that chat is the open one.
export function takeContinued() {
  const id = Number(chip.dataset.continued);
  drop();
  return id || null;
}

chip.querySelector("[data-continued-drop]").addEventListener("click", () => {
  drop();
  document.getElementById("say").focus();
});
