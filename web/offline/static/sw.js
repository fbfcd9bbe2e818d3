// Stores the page's files, so that it works without a network. VERSION and FILES are written by the build.
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name !== VERSION && name !== "janshi.records"; // those of reviews stay
  const remove = (names) => Promise.all(names.filter(old).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(remove));
});

self.addEventListener("fetch", (event) => {
  const stored = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(stored.then((answer) => answer ?? fetch(event.request)));
});
