// What cannot be done without a model: said above the composer until it is closed, once for all chats in this browser.
import { TOUCH } from "./composer.js";

const KEY = "echovessel.voiceless";
const notice = document.querySelector("[data-voiceless]");

export function setUpVoiceless() {
  if (!notice) return;
  notice.hidden = localStorage.getItem(KEY) !== null;
  notice.querySelector("[data-voiceless-close]").addEventListener("click", () => {
    localStorage.setItem(KEY, "seen");
    notice.hidden = true;
    if (!TOUCH.matches) document.getElementById("say").focus();
  });
}

// A model may have been connected meanwhile.
export function voiceChanged() {
  if (notice && !document.querySelector(".offline-voice")) notice.hidden = true;
}
