import { z } from 'zod';
import type { Db } from '#database/connect.ts';
import { defaultSettings, type SiteSettings } from './site-settings.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

const schemas: { [Name in keyof SiteSettings]: z.ZodType<SiteSettings[Name]> } = {
  siteName: text(60),
  tagline: text(160),
  currency: z.string().regex(/^[A-Z]{3}$/),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Berlin'),
  priceClaims: z.enum(['claimed', 'observed']),
  figuresMode: z.enum(['words', 'measured']),
  figures: z.array(z.object({ label: text(40), value: text(20) })).max(6),
  hero: z.object({
    kicker: text(60),
    title: text(120),
    text: text(300),
    claims: z.array(text(80)).max(5),
  }),
  contactEmail: z.email().max(254),
  contactPhone: text(40),
  postalAddress: z.string().trim().max(300),
  digestEnabled: z.boolean(),
  doubleOptIn: z.boolean(),
};

/**
 * The site's settings. A row that does not fit its schema falls back to the default, so that one wrong value
 * never takes the site down; `listBrokenSettings` names such rows.
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

/** Names of stored settings whose value cannot be used. */
export async function listBrokenSettings(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('site_settings').select(['name', 'value']).execute();
  return rows
    .filter(({ name, value }) => isSettingName(name) && !schemas[name].safeParse(value).success)
    .map(({ name }) => name);
}

/** Stores one setting. Throws when the value does not fit its schema. */
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

function isSettingName(name: string): name is keyof SiteSettings {
  return Object.hasOwn(schemas, name);
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
