// Runs before the first paint: a chosen theme never flashes the other one, and a notice that was closed moves nothing.
(() => {
  const chosen = localStorage.getItem("echovessel.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem("echovessel.voiceless")) document.documentElement.dataset.seen = "voiceless";
})();
