import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** characters; the index of addresses covers no more */
const longest = 80;

/** An address of a shop as people paste it: `https://shop.example/p/5?ref=x`, or without `https`. */
const address = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)(\/\S*)?$/i;

/** Where a typed address leads: to a deal, to its store, or to a search for the words in it. */
export type TypedAddress = { path: string } | { words: string };

/** Returns `null` if the text is not an address. */
export async function findTypedAddress(db: Db, typed: string): Promise<TypedAddress | null> {
  const [, host = '', rest = ''] = address.exec(typed) ?? [];
  const isWritten =
    /^https?:|^www\./i.test(typed) ||
    rest !== '' ||
    /\.(?:com|net|org|shop|store|[a-z]{2})$/i.test(host);
  if (host === '' || !isWritten || !/\.[a-z]{2,}/i.test(host)) return null;
  const [place = ''] = rest.split(/[?#]/);
  const whole = `${host}${place}`;
  let end = whole.length;
  while (whole.charAt(end - 1) === '/') end--;
  const start = whole.slice(0, end).slice(0, longest);
  const deal = await ask(db).row<{ slug: string }>`
    select slug from deals
     where is_active and ${place.length > 1}
       and left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\\.)?|/+$', '', 'g'), 80)
           = any(${[start, start.replace(host, host.toLowerCase())]}::text[])
     order by position(${rest} in deal_url) > 0 desc, is_expired, created_at desc limit 1`;
  if (deal) return { path: `/deals/${deal.slug}` };
  const store = await ask(db).row<{ slug: string }>`
    select slug from merchants
     where lower(website_url) ~ ('^https?://(www[.])?' || ${escapeHost(host.toLowerCase())} || '(/|$)')
     order by deal_count desc, id limit 1`;
  const words = wordsOfPath(place);
  if (store && words === '') return { path: `/merchants/${store.slug}` };
  return words === '' ? null : { words };
}

function escapeHost(host: string): string {
  return host.replaceAll('.', '[.]');
}

/** The words of the longest part of a path: `/products/usb-c-cable.html` → `usb c cable`. */
function wordsOfPath(path: string): string {
  const parts = path.split('/').map((part) =>
    part
      .replace(/\.\w+$/, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}
