import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#database/connect.ts';
import { changeUnderLock } from './change-under-lock.server.ts';
import {
  type HomeMove,
  homeSectionLabels,
  homeSectionsOf,
  isOwnHome,
  moveHomeSection,
} from './home-sections.ts';
import type { SiteSettings } from './site-settings.ts';

const audited = (actor: string) => ({ actor, entityId: 'home', describe });

/**
 * Moves, shows or hides a section. Returns `false` if the section has moved since the author of the
 * change saw it.
 */
export function changeHome(db: Db, move: HomeMove, actor: string): Promise<boolean> {
  return changeUnderLock(db, audited(actor), (settings) => {
    const before = homeSectionsOf(settings.homeSections);
    const homeSections = moveHomeSection(before, move);
    if (homeSections === null) return { result: false };
    const isChanged = !isDeepStrictEqual(before, homeSections);
    return { result: true, ...(isChanged && { values: { homeSections } }) };
  });
}

/**
 * Restores the default titles and order, and shows every section but the owner's block, which is
 * kept. Repeating it changes nothing.
 */
export function restoreHome(db: Db, actor: string): Promise<void> {
  return changeUnderLock(db, audited(actor), (settings) => ({
    result: undefined,
    ...(isOwnHome(settings) && { values: { homeSections: [], homeTitles: {} } }),
  }));
}

function describe({ homeSections, homeTitles }: SiteSettings) {
  const shown = homeSectionsOf(homeSections).filter(({ isOn }) => isOn);
  return {
    homeSections: shown.map(({ name }) => homeSectionLabels[name]).join(', '),
    homeTitles,
  };
}
