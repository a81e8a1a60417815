// How many replies came while nobody looked, in the title of the tab.
let count = 0;
let title = document.title;

function show() {
  document.title = count ? `(${count}) ${title}` : title;
}

export function renameTab(text) {
  title = text;
  show();
}

export function countUnread() {
  if (!document.hidden) return;
  count += 1;
  show();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || count === 0) return;
  count = 0;
  show();
});
