import { cutText } from '#app/platform/cut-text.ts';
import { slugify } from '#database/slug.ts';
import type { MoveKind } from './move-kind.ts';
import { oldPathOf } from './old-item.ts';
import type { WxrItem } from './wxr-item.ts';
import { decodedName } from './wordpress-text.ts';

/** Returns the key, URLs and title that identify an item of any kind. */
export function identityOf<Kind extends MoveKind>(item: WxrItem, kind: Kind) {
  const title = plain(item.title, 200).replace(/\s+/g, ' ').trim();
  return {
    kind,
    old_key: cutText(plain(item.guid || item.link || `${kind} ${item.id} ${item.name}`, 500), 500),
    old_id: /^\d{1,18}$/.test(item.id) ? item.id : null,
    old_url: plain(item.link, 2_000),
    old_path: oldPathOf(item.link),
    title: title || 'Untitled',
    asked_slug: slugify(plain(decodedName(item.name), 400)) || slugify(title) || kind,
  };
}

/** Converts a text to one that the database can store. */
export function plain(text: string, most: number): string {
  const readable = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[^\P{Cc}\n\t]/gu, '');
  return most === Infinity ? readable : cutText(readable, most);
}
