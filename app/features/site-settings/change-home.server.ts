import { isDeepStrictEqual } from 'node:util';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import {
  defaultHomeSections,
  type HomeMove,
  type HomeSection,
  homeSectionLabels,
  homeSectionsOf,
  isOwnHome,
  moveHomeSection,
} from './home-sections.ts';
import {
  lockSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

/** Moves, shows or hides a section. Returns `false` if it has moved since its author saw it. */
export function changeHome(db: Db, move: HomeMove, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const before = homeSectionsOf((await readSiteSettings(tx)).homeSections);
    const after = moveHomeSection(before, move);
    if (after === null) return false;
    if (isDeepStrictEqual(before, after)) return true;
    await writeSiteSetting(tx, 'homeSections', after, actor);
    await audit(tx, actor, { homeSections: describe(before) }, { homeSections: describe(after) });
    return true;
  });
}

/**
 * Restores the default titles and order, and shows every section but the owner's block, which is
 * kept. Repeating it changes nothing.
 */
export function restoreHome(db: Db, actor: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const { homeSections, homeTitles } = await readSiteSettings(tx);
    if (!isOwnHome({ homeSections, homeTitles })) return;
    await writeSiteSetting(tx, 'homeSections', [], actor);
    await writeSiteSetting(tx, 'homeTitles', {}, actor);
    const before = { homeSections: describe(homeSectionsOf(homeSections)), homeTitles };
    await audit(tx, actor, before, { homeSections: describe(defaultHomeSections), homeTitles: {} });
  });
}

function audit(tx: Db, actor: string, before: object, after: object) {
  const act = { action: 'settings.update', entity: 'site_settings', entityId: 'home' };
  return writeAudit(tx, { ...act, actor, ...changedFields(before, after) });
}

function describe(sections: readonly HomeSection[]): string {
  const shown = sections.filter(({ isOn }) => isOn);
  return shown.map(({ name }) => homeSectionLabels[name]).join(', ');
}
