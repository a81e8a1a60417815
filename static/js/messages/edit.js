// Editing one's own message: what goes with it is shown first; then the new text is sent in its place, and all of it can be undone.
const dialog = document.getElementById("edit-message");
const STOPPING = 250; // ms
const STOPS_MOST = 40;

export function setUpEdit({ ask, pages, strings, toast, isOffRecord, stop }) {
  let edited = null;

  async function open(item) {
    if (!item) return undefined;
    const answer = await fetch(`${pages}${item.dataset.message}/edit/`).catch(() => null);
    const isRefused = answer?.headers.get("Content-Type")?.startsWith("text/plain");
    if (!answer?.ok || answer.redirected) return toast(isRefused ? await answer.text() : strings.not_done, { alert: true });
    dialog.innerHTML = await answer.text();
    edited = { id: item.dataset.message, offRecord: isOffRecord(item) };
    dialog.showModal();
    const field = dialog.querySelector("textarea");
    return field.setSelectionRange(field.value.length, field.value.length);
  }

  async function send() {
    const { id, offRecord } = edited;
    const answer = await ask(`messages/${id}/edit/`, "POST", { content: dialog.querySelector("textarea").value });
    if (!answer.ok) return refuse(answer.detail);
    dialog.close();
    document.getElementById("say").focus();
    return toast(strings.edited, offRecord ? {} : { undo: () => undo(id) });
  }

  function refuse(detail) {
    const place = dialog.querySelector("[data-refused]");
    place.hidden = false;
    place.textContent = detail;
  }

  // The reply to the new text may be on its way: it is stopped first.
  async function undo(id) {
    let answer = await ask(`messages/${id}/edit/undo/`);
    for (let stops = 0; answer.code === "turn_running" && stops < STOPS_MOST; stops += 1) {
      stop();
      await new Promise((resolve) => setTimeout(resolve, STOPPING));
      answer = await ask(`messages/${id}/edit/undo/`);
    }
    if (!answer.ok) toast(answer.detail, { alert: true });
  }

  dialog.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "send") return;
    event.preventDefault();
    send();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) dialog.querySelector("form").requestSubmit(dialog.querySelector("[value=send]"));
  });
  return open;
}
