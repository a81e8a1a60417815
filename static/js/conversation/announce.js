// What a screen reader says of the conversation.
const announcer = document.querySelector("[data-announce]");

// Each text is added, so that one which follows at once takes nothing away from a screen reader that is still speaking.
export function announce(text) {
  const said = document.createElement("p");
  said.textContent = text;
  announcer.append(said);
  while (announcer.childElementCount > 8) announcer.firstElementChild.remove();
}
