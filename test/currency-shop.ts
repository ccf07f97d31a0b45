import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { changeSettings } from '#app/features/site-settings/change-settings.server.ts';
import { settingsSections } from '#app/features/site-settings/settings-sections.ts';
import { readSettingsVersion } from '#app/features/site-settings/site-settings-queries.server.ts';
import { toDecimal } from '#app/platform/money.ts';
import type { TestDatabase } from '#test/database.ts';

/** A shop with one lamp, whose price is imported in various currencies. */
export function useCurrencyShop(database: TestDatabase) {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'currency-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function changeCurrency(currency: string, mostDeals?: number) {
    const { db } = database;
    const expectedVersion = await readSettingsVersion(db, settingsSections.site);
    const options = { section: 'site', change: { currency }, actor: 'u1' } as const;
    return changeSettings(db, {
      ...options,
      expectedVersion,
      ...(mostDeals !== undefined && { mostDeals }),
    });
  }

  return {
    changeCurrency,
    async setCurrency(currency: string) {
      expect(await changeCurrency(currency)).toMatchObject({ ok: true });
    },
    /** Imports the lamp, or another product, at this price. */
    async feed(amount: number, currency: string, id = '1') {
      const file = path.join(folder, 'feed.csv');
      const price = `${toDecimal(amount, currency)} ${currency}`;
      await writeFile(
        file,
        `id,title,link,price,product type\n${id},Lamp ${id},https://shop.example/${id},${price},Home\n`,
      );
      return importFeed(database.db, { file }, { merchant: 'Shop' });
    },
    theDeal: () =>
      database.db.selectFrom('deals').selectAll().orderBy('id').executeTakeFirstOrThrow(),
    /** Returns all lines of the price log, such as '1299 USD'. */
    async theLog() {
      const lines = await database.db
        .selectFrom('price_log')
        .select(['currency', 'sale_price'])
        .orderBy('id')
        .execute();
      return lines.map(({ currency, sale_price }) => `${sale_price} ${currency}`);
    },
    /** Returns the prices in the chart. */
    async theHistory() {
      const { id } = await this.theDeal();
      const lines = await readPriceHistory(database.db, id, null);
      return lines.map(({ sale_price }) => sale_price);
    },
    theProof: () => database.db.selectFrom('price_proofs').selectAll().executeTakeFirst(),
  };
}
