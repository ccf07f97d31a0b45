import { isDeepStrictEqual } from 'node:util';
import { type MenuLink, mostLinks } from './menus.ts';
import { moveEntry } from './move-entry.ts';

/** A change of a menu. `place` and `link` name an entry as its author saw it. */
export type MenuMove =
  | { kind: 'add'; link: MenuLink; place?: number }
  | { kind: 'up' | 'down' | 'remove'; link: MenuLink; place: number };

export type MoveResult =
  | { ok: true; links: MenuLink[] }
  | { ok: false; reason: 'changed' | 'full' | 'there' };

/** Returns the menu after a change. A change to an entry that has moved since is refused. */
export function moveLink(links: readonly MenuLink[], move: MenuMove): MoveResult {
  const { link } = move;
  if (move.kind === 'add') {
    if (links.length >= mostLinks) return { ok: false, reason: 'full' };
    if (links.some(({ href }) => href === link.href)) return { ok: false, reason: 'there' };
    const place = Math.max(0, Math.min(move.place ?? links.length, links.length));
    return { ok: true, links: links.toSpliced(place, 0, link) };
  }
  const { kind, place } = move;
  if (!isDeepStrictEqual(links[place], link)) return { ok: false, reason: 'changed' };
  if (kind === 'remove') return { ok: true, links: links.toSpliced(place, 1) };
  return { ok: true, links: moveEntry(links, place, kind) };
}
