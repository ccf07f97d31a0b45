import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { readSiteFigures } from './site-figures.server.ts';
import { defaultSettings } from './site-settings.ts';
import {
  listBrokenSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

const database = useTestDatabase();

// Proves Storefront 1: Figures: 10,000+, 50,000+, 500+, $2M+ (site-settings.ts)
test('a new site has the words of the specification', async () => {
  const settings = await readSiteSettings(database.db);
  expect(settings).toEqual(defaultSettings);
  expect(settings.priceClaims).toBe('claimed');
  expect((await readSiteFigures(database.db, settings)).map((figure) => figure.value)).toEqual([
    '10,000+',
    '50,000+',
    '500+',
    '$2M+',
  ]);
});

test('a setting is stored with who set it, and set again', async () => {
  await writeSiteSetting(database.db, 'siteName', 'Bargains', 'cli');
  await writeSiteSetting(database.db, 'siteName', 'Good Bargains', 'owner');
  expect((await readSiteSettings(database.db)).siteName).toBe('Good Bargains');
  const rows = await database.db
    .selectFrom('site_settings')
    .select(['name', 'updated_by'])
    .execute();
  expect(rows).toEqual([{ name: 'siteName', updated_by: 'owner' }]);
});

test('a value that makes no sense is refused, and one already stored falls back and is named', async () => {
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
test('measured figures are the true ones (P30)', async () => {
  await insertDeal(database.db, { sale_price: 1000, original_price: 3500 });
  const figures = await readSiteFigures(database.db, {
    ...defaultSettings,
    figuresMode: 'measured',
  });
  expect(figures).toContainEqual({ label: 'active deals', value: '1' });
  expect(figures).toContainEqual({ label: 'stores with deals', value: '1' });
  expect(figures).toContainEqual({ label: 'saved on the best deal today', value: '$25' });
});
