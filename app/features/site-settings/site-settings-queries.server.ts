import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#database/connect.ts';
import { isTimeZone } from './is-time-zone.ts';
import { maintenanceInput } from './maintenance-input.ts';
import { defaultSettings, type SiteSettings } from './site-settings.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);
const figures = () => z.array(z.object({ label: text(40), value: text(20) })).max(6);

const schemas: { [Name in keyof SiteSettings]: z.ZodType<SiteSettings[Name]> } = {
  siteName: text(60),
  tagline: text(160),
  logoUrl: z.string().regex(/^(?:|\/media\/[\w-]+\/[\w.-]+)$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Berlin'),
  priceClaims: z.enum(['claimed', 'observed']),
  figuresMode: z.enum(['words', 'measured']),
  figures: figures(),
  aboutFigures: figures(),
  hero: z.object({
    kicker: text(60),
    title: text(120),
    text: text(300),
    claims: z.array(text(80)).max(5),
  }),
  contactEmail: z.email().max(254),
  contactPhone: text(40),
  supportTimes: z.array(z.object({ days: text(40), hours: text(40) })).max(7),
  replyHours: z.number().int().min(1).max(720),
  postalAddress: z.string().trim().max(300),
  digestEnabled: z.boolean(),
  doubleOptIn: z.boolean(),
  staffSecondFactor: z.boolean(),
  maintenance: maintenanceInput,
  checklistDismissed: z.boolean(),
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

/** Whoever saves settings does so alone, until the transaction ends: what was read is what is written over. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('site_settings', 0))`.execute(tx);
}

/** The last change of any of these settings, as a number that a form posts back (R47); 0 before the first. */
export async function readSettingsVersion(
  db: Db,
  names: readonly (keyof SiteSettings)[],
): Promise<number> {
  const row = await db
    .selectFrom('site_settings')
    .select((eb) => eb.fn.max('updated_at').as('at'))
    .where('name', 'in', [...names])
    .executeTakeFirst();
  return row?.at?.getTime() ?? 0;
}

function isSettingName(name: string): name is keyof SiteSettings {
  return Object.hasOwn(schemas, name);
}
