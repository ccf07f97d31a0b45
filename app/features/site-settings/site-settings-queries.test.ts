import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { demoSettings } from '#database/seed/demo-settings.ts';
import { addDemoSettings, seedDemo } from '#database/seed/seed-demo.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { testServices } from '#test/services.ts';
import { cachedFigures, cachedHero, measureSiteFigures } from './site-figures.server.ts';
import { defaultSettings } from './site-settings.ts';
import {
  listBrokenSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

const database = useTestDatabase();
const figuresOn = async () => {
  const settings = await readSiteSettings(database.db);
  return (await cachedFigures(testServices(database), settings)).map(({ value }) => value);
};

// Proves Storefront 1: Figures: 10,000+, 50,000+, 500+, $2M+ (site-figures.server.ts)
test('shows the specification’s texts in the demo shop', async () => {
  expect((await readSiteSettings(database.db)).priceClaims).toBe('checked');
  await addDemoSettings(database.db);
  expect(await figuresOn()).toEqual(['10,000+', '50,000+', '500+', '$2M+']);
  expect(
    await cachedHero(testServices(database), await readSiteSettings(database.db)),
  ).toMatchObject({
    kicker: 'Save up to 80%',
    claims: ['Fresh deals added daily', '60% off and more on selected deals', 'Free to use'],
  });
});

test('shows nothing on a new site except what its owner entered', async () => {
  const settings = await readSiteSettings(database.db);
  expect(settings).toEqual(defaultSettings);
  expect(settings).toMatchObject({
    contactEmail: '',
    contactPhone: '',
    supportTimes: [],
    replyHours: null,
    company: '',
    openingYear: null,
    affiliateProgrammes: [],
    figuresMode: 'measured',
  });
  expect(await figuresOn()).toEqual([]);
});

test('removes the demo shop’s facts with the demo shop, and keeps the owner’s', async () => {
  await writeSiteSetting(database.db, 'contactPhone', '+49 1', 'owner');
  await seedDemo(database.db, { now: new Date() });
  await writeSiteSetting(database.db, 'openingYear', 2019, 'owner');
  expect(await readSiteSettings(database.db)).toMatchObject({
    contactPhone: '+49 1',
    replyHours: 24,
  });
  await removeDemo(database.db);
  expect(await readSiteSettings(database.db)).toEqual({
    ...defaultSettings,
    contactPhone: '+49 1',
    openingYear: 2019,
  });
});

test.each(['own', 'none', 'measured'] as const)(
  'P30: shows the chosen facts with %s metrics',
  async (mode) => {
    await insertDeal(database.db, {});
    await writeSiteSetting(database.db, 'figures', [{ label: 'cats', value: '3' }], 'owner');
    await writeSiteSetting(database.db, 'figuresMode', mode, 'owner');
    expect(await figuresOn()).toEqual(
      { own: ['3'], none: [], measured: expect.arrayContaining(['1']) }[mode],
    );
  },
);

test('stores a setting with its author, and overwrites it', async () => {
  await writeSiteSetting(database.db, 'siteName', 'Bargains', 'cli');
  await writeSiteSetting(database.db, 'siteName', 'Good Bargains', 'owner');
  expect((await readSiteSettings(database.db)).siteName).toBe('Good Bargains');
  const rows = await database.db
    .selectFrom('site_settings')
    .select(['name', 'updated_by'])
    .execute();
  expect(rows).toEqual([{ name: 'siteName', updated_by: 'owner' }]);
});

test('rejects an invalid value, and falls back and reports one already stored', async () => {
  await expect(writeSiteSetting(database.db, 'timeZone', 'Mars/Base', 'cli')).rejects.toThrow(
    'IANA time zone',
  );
  await database.db
    .insertInto('site_settings')
    .values([
      { name: 'currency', value: '"dollars"' },
      { name: 'tagline', value: '"Fine"' },
      { name: 'unknown', value: '1' },
    ])
    .execute();
  expect(await readSiteSettings(database.db)).toEqual({ ...defaultSettings, tagline: 'Fine' });
  expect(await listBrokenSettings(database.db)).toEqual(['currency']);
});

// Proves P30: figures true or words (site-figures.server.ts, settings-page.tsx)
test('measures the site’s statistics correctly (P30)', async () => {
  await insertDeal(database.db, { sale_price: 1000, original_price: 9000 });
  await insertDeal(database.db, { sale_price: 1000, reference_price: 3500 });
  const figures = await measureSiteFigures(database.db, 'USD');
  expect(figures).toContainEqual({ label: 'active deals', value: '2' });
  expect(figures).toContainEqual({ label: 'stores with deals', value: '2' });
  expect(figures).toContainEqual({ label: 'saved on the best deal today', value: '$25' });
});

// Proves P30: the hero follows the choice of figures (site-figures.server.ts)
test('shows measured claims, the owner’s claims or none in the hero of a site without the demo shop', async () => {
  const hero = async () => cachedHero(testServices(database), await readSiteSettings(database.db));
  expect(await hero()).toMatchObject({ kicker: '', claims: [] });
  await insertDeal(database.db, { sale_price: 1000, original_price: 9000 });
  expect(await hero()).toMatchObject({ kicker: '', claims: ['1 deal added this week'] });
  await insertDeal(database.db, { sale_price: 1500, reference_price: 2000 });
  expect((await hero()).kicker).toBe('Save up to 25%, checked by our price log');
  await writeSiteSetting(database.db, 'figuresMode', 'none', 'test');
  expect(await hero()).toMatchObject({ kicker: '', claims: [] });
  const own = { ...defaultSettings.hero, kicker: 'Ours', claims: ['Free'] };
  await writeSiteSetting(database.db, 'hero', own, 'test');
  expect(await hero()).toEqual(own);
});

describe('an older site', () => {
  const file = 'database/migrations/0042_facts_of_a_site.sql';
  const bringUp = () => sql.raw(readFileSync(file, 'utf8')).execute(database.db);
  const store = async (rows: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(rows)) {
      const row = { name, value: JSON.stringify(value), updated_by: 'owner' };
      await database.db.insertInto('site_settings').values(row).execute();
    }
  };
  const [cats, dogs] = [[{ label: 'cats', value: '3' }], [{ label: 'dogs', value: '4' }]];

  test.each([
    [{}, { figuresMode: 'measured', figures: [] }],
    [{ figuresMode: 'words' }, { figuresMode: 'document', figures: [] }],
    [{ figures: cats }, { figuresMode: 'own', figures: cats }],
    [{ aboutFigures: dogs }, { figuresMode: 'own', figures: dogs }],
    [
      { figuresMode: 'words', figures: cats, aboutFigures: dogs },
      { figuresMode: 'own', figures: cats },
    ],
    [
      { figuresMode: 'measured', figures: cats },
      { figuresMode: 'measured', figures: cats },
    ],
    [
      { contactPhone: '+49 1', replyHours: 12 },
      { contactPhone: '+49 1', replyHours: 12 },
    ],
  ])('migrates an older site with a stored %j to %j', async (stored, expected) => {
    await store(stored);
    await bringUp();
    expect(await readSiteSettings(database.db)).toEqual({ ...defaultSettings, ...expected });
    expect(await listBrokenSettings(database.db)).toEqual([]);
  });

  test('keeps the demo shop’s texts of an older site, except those the owner stored', async () => {
    await insertDeal(database.db, { is_demo: true });
    await store({ contactPhone: '+49 1' });
    await bringUp();
    const expected = { ...defaultSettings, ...demoSettings, contactPhone: '+49 1' };
    expect(await readSiteSettings(database.db)).toEqual(expected);
  });

  test('keeps the sentence that Amazon’s program requires on an older site with an Amazon store', async () => {
    await insertMerchant(database.db, { website_url: 'https://www.amazon.de/' });
    await bringUp();
    expect((await readSiteSettings(database.db)).affiliateProgrammes).toEqual(
      demoSettings.affiliateProgrammes,
    );
  });
});
