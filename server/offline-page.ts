import { plainPage, plainPagePolicy } from '#server/plain-page.ts';
import type { HeaderSet } from '#server/security-headers.ts';
import { storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';

/** `public/sw.js` knows it, too. */
export const offlinePath = '/offline';

/** What the service worker shows when the site cannot be reached: one document without any outside part. */
export function offlinePage(base: HeaderSet): Promise<StoredAnswer> {
  const html = plainPage({
    title: 'You are offline',
    text: 'This page needs the internet, and it cannot be reached right now. Check the connection; nothing you have saved is lost.',
    // An empty address is the one that was asked for: no script is needed to ask again.
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
