/** Returns the state of push messages in this browser: support, permission and subscription. */

export function pushAbility() {
  const isThere =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isThere) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/**
 * Calls `hear` when the permission changes in the browser's settings. Returns a function that stops
 * this.
 */
export function onPermissionChange(hear: () => void): () => void {
  const stop = new AbortController();
  void listen(stop.signal, hear).catch(() => {});
  return () => stop.abort();
}

async function listen(signal: AbortSignal, hear: () => void): Promise<void> {
  const status = await navigator.permissions.query({ name: 'notifications' });
  if (signal.aborted) return;
  status.addEventListener('change', hear, { signal });
  hear(); // The permission may have changed in the meantime.
}

export async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Asks for permission and subscribes, so this must be called only on a click. Returns `null` if
 * denied.
 */
export async function subscribe(publicKey: string): Promise<PushSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  const applicationServerKey = fromBase64Url(publicKey);
  if (old && !hasKey(old, applicationServerKey)) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** Returns the data sent to the server. */
export function describeSubscription(subscription: PushSubscription): Record<string, string> {
  const { keys = {} } = subscription.toJSON();
  return {
    endpoint: subscription.endpoint,
    p256dh: keys['p256dh'] ?? '',
    auth: keys['auth'] ?? '',
  };
}

/** Hashes the endpoint as the server does (push-subscription-queries.server.ts). */
export async function hashEndpoint(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function hasKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const present = new Uint8Array(options.applicationServerKey ?? []);
  return present.length === key.length && present.every((byte, at) => byte === key[at]);
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
