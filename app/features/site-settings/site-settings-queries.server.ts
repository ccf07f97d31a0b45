import { sql } from 'kysely';
import type { z } from 'zod';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { defaultSettings, settingsSchema, type SiteSettings } from './site-settings.ts';

const schemas: { [Name in keyof SiteSettings]: z.ZodType<SiteSettings[Name]> } =
  settingsSchema.shape;

/**
 * Returns the site's settings. An invalid row is replaced by the default, so that one wrong value
 * never takes the site down.
 */
export async function readSiteSettings(db: Db): Promise<SiteSettings> {
  const rows = await db.selectFrom('site_settings').select(['name', 'value']).execute();
  const settings: SiteSettings = { ...defaultSettings };
  for (const { name, value } of rows) {
    const parsed = isSettingName(name) ? schemas[name].safeParse(value) : null;
    if (parsed?.success) Object.assign(settings, { [name]: parsed.data });
  }
  return settings;
}

/** Returns the settings from the cache, for pages, unless they were saved since. */
export function cachedSettings(services: AppServices): Promise<SiteSettings> {
  return cacheValue(services, 'settings', [], () => readSiteSettings(services.db));
}

/** Returns the names of stored settings with an invalid value. */
export async function listBrokenSettings(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('site_settings').select(['name', 'value']).execute();
  return rows
    .filter(({ name, value }) => isSettingName(name) && !schemas[name].safeParse(value).success)
    .map(({ name }) => name);
}

/** Stores one setting. Throws if the value is invalid. */
export async function writeSiteSetting<Name extends keyof SiteSettings>(
  db: Db,
  name: Name,
  value: SiteSettings[Name],
  by: string,
): Promise<void> {
  const json = JSON.stringify(schemas[name].parse(value));
  await db
    .insertInto('site_settings')
    .values({ name, value: json, updated_by: by })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: json, updated_by: by, updated_at: new Date() }),
    )
    .execute();
}

/**
 * Locks the settings until the transaction ends, so that the values read are the ones overwritten.
 */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('site_settings', 0))`.execute(tx);
}

/**
 * Returns the last change of any of these settings, as a number that the form posts back. Returns 0
 * before the first change.
 */
export async function readSettingsVersion(db: Db, names: readonly (keyof SiteSettings)[]) {
  const at = await ask(db).value<Date>`
    select max(updated_at) from site_settings where name = any(${names})`;
  return at?.getTime() ?? 0;
}

function isSettingName(name: string): name is keyof SiteSettings {
  return Object.hasOwn(schemas, name);
}
