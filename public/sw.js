// Shows a calm page when the site cannot be reached. It keeps that one page and nothing else: no page of the site,
// no data, nothing of whoever is signed in. Raise the number when the offline page changes (server/offline-page.ts).
const shelf = 'offline-1';
const offlinePage = '/offline';

self.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(open(event));
});

async function keepOfflinePage() {
  const cache = await caches.open(shelf);
  await cache.add(new Request(offlinePage, { cache: 'reload', credentials: 'omit' }));
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== shelf).map((name) => caches.delete(name)));
  // The browser asks for the page while it still wakes this worker, so that nobody waits for it.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function open(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const cache = await caches.open(shelf);
    return (await cache.match(offlinePage)) ?? Response.error();
  }
}

// A price alert that fired. Browsers insist that every message shows something, so one that cannot be read does too.
self.addEventListener('push', (event) => {
  event.waitUntil(tell(event.data));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

// The browser or its push service changed the address that messages go to. Without telling, no alert would come any more.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

async function renew(old, given) {
  const { pushManager } = self.registration;
  const present =
    given ??
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: old?.options?.applicationServerKey ?? (await askForKey()),
    }));
  const { endpoint, keys } = present.toJSON();
  const answer = await fetch('/api/push-renewal', {
    method: 'POST',
    body: new URLSearchParams({
      endpoint,
      p256dh: keys.p256dh,
      auth: keys.auth,
      old_endpoint: old?.endpoint ?? '',
      old_auth: old?.toJSON().keys?.auth ?? '',
    }),
  });
  // Stopped from elsewhere meanwhile, or nobody is signed in to whom it could belong.
  if (answer.status === 401 || answer.status === 404) await present.unsubscribe();
}

async function askForKey() {
  const answer = await fetch('/api/push-renewal');
  return (await answer.json()).publicKey;
}

function tell(data) {
  const { title, body, path, tag } = readMessage(data);
  return self.registration.showNotification(title, {
    body,
    tag,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path },
  });
}

function readMessage(data) {
  try {
    const message = data.json();
    if (typeof message.title === 'string' && typeof message.path === 'string') return message;
  } catch {
    // It falls to the general words below.
  }
  return {
    title: 'There is news of what you watch',
    body: '',
    path: '/price-alerts',
    tag: 'alert',
  };
}

async function openPage(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  const shown = pages.find((page) => page.url === url.href);
  await (shown ? shown.focus() : self.clients.openWindow(url.href));
}
