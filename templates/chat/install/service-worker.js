{% autoescape off %}// Keeps one page for when there is no connection, and files whose names change with their content. Nothing that is anybody's.
const CACHE = `echovessel-${ {{ version }} }`;
const OFFLINE = {{ page }};
const FILES = {{ files }};
const STATIC = {{ static }};
const VERSIONED = /\.[0-9a-f]{12}\.\w+$/;

// Without cookies: the page that is kept is the same for everybody.
const asked = (address) => new Request(address, { credentials: "omit", cache: "reload" });

addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...FILES].map(asked)));
  event.waitUntil(kept.then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("echovessel-") && name !== CACHE));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (pathname.startsWith(STATIC) && VERSIONED.test(pathname)) event.respondWith(fromCache(request));
});

async function navigate(request) {
  try {
    return await fetch(request);
  } catch (error) {
    return (await caches.match(OFFLINE, { ignoreVary: true })) ?? Promise.reject(error);
  }
}

async function fromCache(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request.url, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  // Where there is no room to keep it, it is there all the same.
  if (answer.status === 200) await cache.put(request.url, answer.clone()).catch(() => null);
  return answer;
}
{% endautoescape %}
