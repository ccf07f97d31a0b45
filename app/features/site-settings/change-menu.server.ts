import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#database/connect.ts';
import { changeUnderLock } from './change-under-lock.server.ts';
import { type MenuMove, moveLink, type MoveResult } from './menu-moves.ts';
import { type MenuName, menusOf } from './menus.ts';
import type { SiteSettings } from './site-settings.ts';

const audited = (actor: string, name: MenuName) => ({
  actor,
  entityId: 'menus',
  describe({ menus }: SiteSettings) {
    const links = menusOf(menus)[name];
    return { menu: links.map(({ label }) => label).join(', ') };
  },
});

/** Changes one entry of a menu. */
export function changeMenu(
  db: Db,
  name: MenuName,
  move: MenuMove,
  actor: string,
): Promise<MoveResult> {
  return changeUnderLock(db, audited(actor, name), ({ menus }) => {
    const before = menusOf(menus)[name];
    const moved = moveLink(before, move);
    if (!moved.ok || isDeepStrictEqual(before, moved.links)) return { result: moved };
    return { result: moved, values: { menus: { ...menus, [name]: moved.links } } };
  });
}

/** Restores the default of a menu. Repeating it changes nothing. */
export function restoreMenu(db: Db, name: MenuName, actor: string): Promise<void> {
  return changeUnderLock(db, audited(actor, name), ({ menus }) => {
    const { [name]: own, ...rest } = menus;
    return { result: undefined, ...(own && { values: { menus: rest } }) };
  });
}
