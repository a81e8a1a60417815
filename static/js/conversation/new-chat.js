// The button and the shortcut that begin a chat.
import { closeDrawer } from "./drawers.js";

// What is said while a chat is being begun waits for it, so that nothing off the record goes into the chat before. Chats are begun one
// after the other, so that the last one is the one that the page shows.
export function setUpBegin(beginChat) {
  let beginning = null;
  function begin(isOffRecord) {
    const mine = Promise.resolve(beginning).then(() => beginChat(isOffRecord)).finally(() => {
      if (beginning === mine) beginning = null;
    });
    beginning = mine;
    return mine;
  }
  return { begin, getBeginning: () => beginning };
}

export function setUpNewChat({ composer, begin }) {
  const newChat = () => {
    closeDrawer();
    composer.field.focus();
    return begin(false);
  };
  for (const button of document.querySelectorAll("[data-new-chat], [data-new-chat-here]")) button.addEventListener("click", newChat);
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    newChat();
  });
  if (/Mac|iPhone|iPad/.test(navigator.platform)) document.querySelector("[data-shortcut]").textContent = "⌘ K";
}
