// How many replies came while nobody looked, in the title of the tab.
let count = 0;
let title = document.title;

function show() {
  document.title = count ? `(${count}) ${title}` : title;
}

export function countUnread() {
  if (!document.hidden) return;
  if (count === 0) title = document.title;
  count += 1;
  show();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || count === 0) return;
  count = 0;
  show();
});
