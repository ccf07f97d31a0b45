import { plainPage, plainPagePolicy } from '#server/plain-page.ts';
import type { HeaderSet } from '#server/security-headers.ts';
import { storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';

/** The path of the offline page, which must match `public/sw.js`. */
export const offlinePath = '/offline';

/** Creates the self-contained page that the service worker shows when the site is unreachable. */
export function offlinePage(base: HeaderSet): Promise<StoredAnswer> {
  const html = plainPage({
    title: 'You are offline',
    text: "This page needs the internet, which can't be reached right now. Check your connection; everything you saved is still there.",
    // An empty URL reloads the requested page, even without JavaScript.
    action: { label: 'Try Again', href: '' },
  });
  const policy = { 'content-security-policy': plainPagePolicy };
  return storeAnswer({
    status: 200,
    body: Buffer.from(html),
    type: 'text/html; charset=utf-8',
    headers: { ...base, ...policy, 'cache-control': 'no-cache', vary: 'accept-encoding' },
    brotliQuality: 9,
  });
}
