import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { changeSettings } from './change-settings.server.ts';
import { settingsChoices } from './settings-choices.ts';
import { settingsInput } from './settings-input.ts';
import { type SettingsSection, settingsSections, settingsTexts } from './settings-sections.ts';
import { defaultSettings, type SiteSettings } from './site-settings.ts';
import { readSettingsVersion, readSiteSettings } from './site-settings-queries.server.ts';

const database = useTestDatabase();

const stored = () => readSiteSettings(database.db);
const versionOf = (section: SettingsSection) =>
  readSettingsVersion(database.db, settingsSections[section]);
const change = (section: SettingsSection, values: Partial<SiteSettings>, expectedVersion: number) =>
  changeSettings(database.db, { section, change: values, actor: 'u1', expectedVersion });
const audited = () => database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();

test.each(Object.keys(settingsSections) as SettingsSection[])(
  'stores the form of %s unchanged when it is sent back',
  (section) => {
    const read = settingsInput[section].parse(settingsTexts(section, defaultSettings));
    const own = Object.fromEntries(
      settingsSections[section].map((name) => [name, defaultSettings[name]]),
    );
    expect(read).toEqual(own);
  },
);

test('R42: stores a change of settings with its audit entry, and no entry if nothing changed', async () => {
  const version = await versionOf('prices');
  expect(await change('prices', { priceClaims: 'observed' }, version)).toEqual({
    ok: true,
    changed: ['priceClaims'],
  });
  expect((await stored()).priceClaims).toBe('observed');
  await change('prices', { priceClaims: 'observed' }, await versionOf('prices'));
  expect(await audited()).toMatchObject([
    {
      actor: 'u1',
      action: 'settings.update',
      entity_id: 'prices',
      before: { priceClaims: 'checked' },
      after: { priceClaims: 'observed' },
    },
  ]);
});

// Proves R47: settings saved by two (change-settings.server.ts)
test('R47: shows the stored values to a user who would overwrite another user’s settings', async () => {
  const version = await versionOf('site');
  await change('site', { siteName: 'Theirs' }, version);
  const late = await change('site', { siteName: 'Mine' }, version);
  expect(late).toMatchObject({ ok: false, reason: 'changed-meanwhile' });
  expect((await stored()).siteName).toBe('Theirs');
  const again = 'version' in late ? late.version : 0;
  expect(await change('site', { siteName: 'Mine' }, again)).toMatchObject({ ok: true });
});

test('R47: reports no conflict between changes of different sections', async () => {
  const version = await versionOf('site');
  await change('newsletter', { digestEnabled: false }, await versionOf('newsletter'));
  expect(await change('site', { siteName: 'Mine' }, version)).toMatchObject({ ok: true });
});

test.each([
  ['site', 'currency', 'dollars'],
  ['site', 'currency', 'HRK'],
  ['site', 'currency', 'CUC'],
  ['site', 'currency', 'ZWL'],
  ['site', 'timeZone', 'Mars/Base'],
  ['site', 'contactEmail', 'nobody'],
  ['site', 'replyHours', '1.5'],
  ['site', 'siteName', '   '],
  ['site', 'supportTimes', 'Monday'],
  ['words', 'figures', '10 | deals | more'],
  ['words', 'heroClaims', 'a\nb\nc\nd\ne\nf'],
  ['prices', 'priceClaims', 'invented'],
] as const)('validates the section %s: the field %s rejects %j', (section, field, value) => {
  const texts = { ...settingsTexts(section, defaultSettings), [field]: value };
  const read = settingsInput[section].safeParse(texts);
  expect(read.error?.issues[0]?.path[0]).toBe(field);
});

test.each(['JPY', 'KRW', 'HUF', 'IDR', 'CLP', 'KWD'])('accepts the currency %s', (currency) => {
  const texts = { ...settingsTexts('site', defaultSettings), currency };
  expect(settingsInput.site.parse(texts).currency).toBe(currency);
  expect(settingsChoices().currency.map(({ value }) => value)).toContain(currency);
});

test('does not offer obsolete currencies, and lists time zones by their current names', () => {
  const { currency, timeZone } = settingsChoices();
  const offered = [...currency, ...timeZone].map(({ value }) => value);
  expect(offered).toEqual(
    expect.arrayContaining(['USD', 'UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'Asia/Ho_Chi_Minh']),
  );
  for (const gone of ['HRK', 'CUC', 'ZWL', 'Europe/Kiev', 'Asia/Calcutta', 'Asia/Saigon']) {
    expect(offered).not.toContain(gone);
  }
});

test('saves and shows a time zone by its current name', () => {
  const former = { ...defaultSettings, timeZone: 'Europe/Kiev' };
  expect(settingsTexts('site', former).timeZone).toBe('Europe/Kyiv');
  const texts = { ...settingsTexts('site', defaultSettings), timeZone: 'Asia/Calcutta' };
  expect(settingsInput.site.parse(texts).timeZone).toBe('Asia/Kolkata');
});

test('accepts a currency in lower case', () => {
  const texts = { ...settingsTexts('site', defaultSettings), currency: 'eur' };
  expect(settingsInput.site.parse(texts).currency).toBe('EUR');
});
