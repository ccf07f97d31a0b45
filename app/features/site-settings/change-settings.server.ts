import type { Db } from '#database/connect.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import { settingsSections, type SettingsSection } from './settings-sections.ts';
import { askForCurrency } from './switch-currency.server.ts';
import type { SiteSettings } from './site-settings.ts';
import {
  lockSettings,
  readSettingsVersion,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

export type ChangeSettingsResult =
  | { ok: true; changed: string[] }
  | { ok: false; reason: 'changed-meanwhile'; version: number; current: SiteSettings }
  | { ok: false; reason: 'changes-currency' };

const act = { action: 'settings.update', entity: 'site_settings' };

/** Saves a section's form, unless another user saved that section since `expectedVersion`. */
export async function changeSettings(
  db: Db,
  options: {
    section: SettingsSection;
    change: Partial<SiteSettings>;
    actor: string;
    expectedVersion: number;
    /** deals; a currency change hides up to this many live ones directly, and a job hides more */
    mostDeals?: number;
  },
): Promise<ChangeSettingsResult> {
  const { section, change, actor, expectedVersion, mostDeals } = options;
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const current = await readSiteSettings(tx);
    const version = await readSettingsVersion(tx, settingsSections[section]);
    if (version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', version, current };
    }
    const { before, after } = changedFields(current, change);
    const changed = Object.keys(after) as (keyof SiteSettings)[];
    if (changed.length === 0) return { ok: true, changed };
    if (change.currency !== undefined && change.currency !== current.currency) {
      if (current.nextCurrency !== '') return { ok: false, reason: 'changes-currency' };
      const isDone = await askForCurrency(
        tx,
        { from: current.currency, to: change.currency, actor },
        mostDeals,
      );
      if (!isDone) {
        delete after['currency'];
        delete before['currency'];
        Object.assign(before, { nextCurrency: '' });
        Object.assign(after, { nextCurrency: change.currency });
      }
    }
    for (const name of changed.filter((one) => one !== 'currency')) {
      await writeSiteSetting(tx, name, change[name] as never, actor);
    }
    await writeAudit(tx, { ...act, actor, entityId: section, before, after });
    return { ok: true, changed };
  });
}

/** Sets one setting that belongs to no section. The last change wins. */
export async function changeSetting<Name extends 'checklistDismissed' | 'postalAddress'>(
  db: Db,
  name: Name,
  value: SiteSettings[Name],
  actor: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const current = await readSiteSettings(tx);
    if (current[name] === value) return;
    await writeSiteSetting(tx, name, value, actor);
    const changes = { before: { [name]: current[name] }, after: { [name]: value } };
    await writeAudit(tx, { ...act, actor, entityId: name, ...changes });
  });
}
