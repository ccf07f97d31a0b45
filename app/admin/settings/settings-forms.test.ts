import { describe, expect, test } from 'vitest';
import {
  settingsLabels,
  settingsSections,
  type SettingsSection,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { tagsOf, textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';

// Tests the settings sections that have forms, and each field with values that it rejects.

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
const stored = () => readSiteSettings(database.db);
const entries = async () =>
  (await database.db.selectFrom('audit_log').select('id').execute()).length;

const addressOf = (section: string) =>
  section === 'home' ? '/admin/home' : `/admin/settings?section=${section}`;
/** Returns the values of a section's form on a new site. */
const shown = (section: SettingsSection, more: Record<string, string> = {}) => ({
  ...settingsTexts(section, defaultSettings),
  version: '0',
  ...more,
});
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

const long = (count: number) => 'x'.repeat(count);
const refusals: [SettingsSection, field: string, typed: string, says: string][] = [
  ['site', 'siteName', '', 'This field is required'],
  ['site', 'siteName', '   ', 'This field is required'],
  ['site', 'contactEmail', 'hello@', 'Please enter a valid email address'],
  ['site', 'tagline', '', 'This field is required'],
  ['site', 'contactPhone', long(41), 'Must be at most 40 characters'],
  ['site', 'openingYear', 'long ago', 'A year from 1990 to this year'],
  ['site', 'openingYear', '9998', 'A year from 1990 to this year'],
  ['site', 'affiliateProgrammes', long(81), 'Each at most 80 characters'],
  ['site', 'replyHours', '0', 'At least 1'],
  ['site', 'replyHours', '721', 'At most 720'],
  ['site', 'replyHours', '1.5', 'A whole number of hours'],
  ['site', 'currency', 'HRK', 'The three letters of a currency'],
  ['site', 'currency', 'XYZ', 'The three letters of a currency'],
  ['site', 'timeZone', 'Mars/Base', 'The name of a time zone'],
  ['site', 'supportTimes', 'Monday', 'each of two texts with | between them'],
  ['site', 'supportTimes', 'Monday | 9 | 5', 'each of two texts with | between them'],
  ['words', 'figures', `${long(21)} | deals`, 'at most 20 and 40 characters long'],
  ['words', 'figures', Array.from({ length: 7 }, (_, n) => `${n} | a`).join('\n'), 'At most 6'],
  ['words', 'figures', ' | deals', 'each of two texts with | between them'],
  ['words', 'figuresMode', 'guessed', 'Choose one of the options'],
  ['words', 'heroTitle', '', 'This field is required'],
  ['words', 'heroClaims', 'a\nb\nc\nd\ne\nf', 'At most five lines'],
  ['words', 'heroClaims', long(81), 'Each at most 80 characters'],
  ['prices', 'priceClaims', 'invented', 'Choose one of the options'],
  ['prices', 'alertUndoMinutes', '61', 'At most 60'],
  ['prices', 'alertUndoMinutes', 'soon', 'A whole number of minutes'],
  ['prices', 'wasPriceDays', '91', 'At most 90'],
  ['prices', 'wasPriceDays', '-1', 'A whole number of days'],
  ['prices', 'wasPriceDays', '', 'A whole number of days'],
  ['prices', 'wasPriceDays', '2.5', 'A whole number of days'],
];

// Proves P43: errors at the fields of the settings (section-form.tsx)
test.each(refusals)(
  'validates the section %s: the field %s rejects %j with %s',
  async (section, field, typed, says) => {
    const visitor = await admin();
    const { status, html } = await visitor.send(
      addressOf(section),
      shown(section, { [field]: typed }),
    );
    expect(status).toBe(422);
    const summary = /<div role="alert".*?<\/div>/s.exec(html)?.[0] ?? '';
    expect(textOf(summary)).toContain('Error saving settings');
    expect(textOf(summary)).toContain(`${settingsLabels[section][field]}: `);
    expect(textOf(summary)).toContain(says);
    // The message is also beside the field, which is marked invalid.
    expect(textOf(mainOf(html)).split(says).length - 1).toBe(2);
    const controls = ['input', 'textarea', 'select'].flatMap((name) => tagsOf(html, name));
    const wrong = controls.filter((tag) => tag.includes('aria-invalid="true"'));
    expect(wrong.map((tag) => /name="([^"]*)"/.exec(tag)?.[1])).toEqual([field]);
    expect(await stored()).toEqual(defaultSettings);
    expect(await entries()).toBe(0);
  },
);

const sections = Object.keys(settingsSections).filter(
  (section): section is Exclude<SettingsSection, 'setup' | 'brand'> =>
    section !== 'setup' && section !== 'brand',
);

describe.each(sections)('the form of %s', (section) => {
  test('changes and logs nothing when a settings form is sent back unchanged', async () => {
    const visitor = await admin();
    const sent = await visitor.send(addressOf(section), shown(section));
    expect(flashOf(sent)).toBe('Settings saved.');
    expect(await stored()).toEqual(defaultSettings);
    expect(await entries()).toBe(0);
  });

  test('shows the stored settings with their version', async () => {
    const visitor = await admin();
    const { html } = await visitor.open(addressOf(section));
    expect(html).toMatch(/name="version" value="0"/);
    for (const name of Object.keys(settingsTexts(section, defaultSettings))) {
      expect(html).toContain(`name="${name}"`);
    }
  });
});

const changes: [SettingsSection, field: string, theirs: string, mine: string][] = [
  ['site', 'tagline', 'Their tagline', 'My tagline'],
  ['words', 'heroTitle', 'Their title', 'My title'],
  ['prices', 'priceClaims', 'observed', 'claimed'],
  ['newsletter', 'postalAddress', '1 Their Street', '2 My Street'],
];

test.each(changes)(
  'R47: shows two users who save %s both versions of %s',
  async (section, field, theirs, mine) => {
    const [first, second] = [await admin(), await admin()];
    await first.send(addressOf(section), shown(section, { [field]: theirs }));
    const late = await second.send(addressOf(section), shown(section, { [field]: mine }));
    expect(late.status).toBe(409);
    const words = textOf(mainOf(late.html));
    expect(words).toContain('Someone else saved these settings in the meantime.');
    expect(words).toContain(`${settingsLabels[section][field]} ${theirs} ${mine} Use theirs`);
    expect(settingsTexts(section, await stored())[field]).toBe(theirs);

    const version = /name="version" value="(\d+)"/.exec(late.html)?.[1] ?? '';
    const saved = await second.send(addressOf(section), shown(section, { [field]: mine, version }));
    expect(flashOf(saved)).toBe('Settings saved.');
    expect(settingsTexts(section, await stored())[field]).toBe(mine);
    expect(await entries()).toBe(2);
  },
);

test('does not report a conflict between different sections', async () => {
  const [first, second] = [await admin(), await admin()];
  await first.send(addressOf('site'), shown('site', { tagline: 'New' }));
  const sent = await second.send(addressOf('words'), shown('words', { heroTitle: 'New' }));
  expect(flashOf(sent)).toBe('Settings saved.');
  expect(await stored()).toMatchObject({ tagline: 'New', hero: { title: 'New' } });
});

test('asks for confirmation and saves nothing without a version', async () => {
  const visitor = await admin();
  const { version: _unsent, ...fields } = shown('site', { tagline: 'New' });
  expect((await visitor.send(addressOf('site'), fields)).status).toBe(409);
  expect((await stored()).tagline).toBe(defaultSettings.tagline);
});

test.each(['setup', 'data', 'system', 'mail', 'nonsense', ''])(
  'rejects a section’s fields when they are posted to the part %j',
  async (part) => {
    const visitor = await admin();
    const { version: _unsent, ...fields } = shown('site', { tagline: 'New' });
    const { status } = await visitor.send(addressOf(part), fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await stored()).tagline).toBe(defaultSettings.tagline);
  },
);
