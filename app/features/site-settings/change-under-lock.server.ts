import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import type { SiteSettings } from './site-settings.ts';
import {
  lockSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

interface LockedChange<Result> {
  result: Result;
  /** The new values. If absent, nothing is stored or recorded. */
  values?: Partial<SiteSettings>;
}

/**
 * Changes settings that are read under their lock, with one audit entry. `describe` returns the
 * fields of the entry.
 */
export function changeUnderLock<Result>(
  db: Db,
  {
    actor,
    entityId,
    describe,
  }: { actor: string; entityId: string; describe: (settings: SiteSettings) => object },
  change: (settings: SiteSettings) => LockedChange<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const settings = await readSiteSettings(tx);
    const { result, values } = change(settings);
    if (values === undefined) return result;
    for (const [name, value] of Object.entries(values)) {
      await writeSiteSetting(tx, name as keyof SiteSettings, value as never, actor);
    }
    const changes = changedFields(describe(settings), describe({ ...settings, ...values }));
    const act = { action: 'settings.update', entity: 'site_settings', entityId };
    await writeAudit(tx, { ...act, actor, ...changes });
    return result;
  });
}
