import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { type MenuMove, moveLink, type MoveResult } from './menu-moves.ts';
import { type MenuLink, type MenuName, menusOf } from './menus.ts';
import {
  lockSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

/** Changes one entry of a menu. */
export function changeMenu(
  db: Db,
  name: MenuName,
  move: MenuMove,
  actor: string,
): Promise<MoveResult> {
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const { menus } = await readSiteSettings(tx);
    const before = menusOf(menus)[name];
    const moved = moveLink(before, move);
    if (!moved.ok) return moved;
    await writeSiteSetting(tx, 'menus', { ...menus, [name]: moved.links }, actor);
    await audit(tx, actor, before, moved.links);
    return moved;
  });
}

/** Restores the default of a menu. Repeating it changes nothing. */
export function restoreMenu(db: Db, name: MenuName, actor: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const { menus } = await readSiteSettings(tx);
    if (menus[name] === undefined) return;
    const { [name]: _own, ...rest } = menus;
    await writeSiteSetting(tx, 'menus', rest, actor);
    await audit(tx, actor, menusOf(menus)[name], menusOf(rest)[name]);
  });
}

function audit(tx: Db, actor: string, before: readonly MenuLink[], after: readonly MenuLink[]) {
  const labels = (links: readonly MenuLink[]) => links.map(({ label }) => label).join(', ');
  return writeAudit(tx, {
    actor,
    action: 'settings.update',
    entity: 'site_settings',
    entityId: 'menus',
    before: { menu: labels(before) },
    after: { menu: labels(after) },
  });
}
