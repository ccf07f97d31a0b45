import { expect, test } from 'vitest';
import { encodeSubId } from '#app/features/earnings/sub-id.server.ts';
import { sampleReports } from '#test/fixtures/network-reports.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: Parameters<typeof browser.visit>[0] = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'earner');
  return visitor;
}

/** Today's report, with two sales of a live deal and one from another site. */
const todaysReport = () =>
  withShopDatabase(async (db) => {
    const { id, title } = await db
      .selectFrom('deals')
      .select(['id', 'title'])
      .where('is_active', '=', true)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const day = new Date().toISOString().slice(0, 10);
    const target = { kind: 'deal', id } as const;
    const source = { channel: 'site', newsletterId: null } as const;
    const csv = sampleReports.awin.csv(await encodeSubId(db, { target, source, day }));
    return { title, csv: csv.replaceAll(/\d\d\/11\/2026 10:00:00/g, day) };
  });

test('imports a report, shows the earnings of its deal, and undoes the import', async () => {
  const { title, csv } = await todaysReport();
  const { page, complaints } = await staff();
  await openHydrated(page, '/admin/earnings');
  await page.getByText('No network has reported a sale yet').waitFor();
  await page.getByRole('link', { name: 'Upload report' }).click();
  await page.getByLabel('Network').selectOption('Awin');
  const file = { name: 'awin.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.getByLabel('Report file').setInputFiles(file);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('3 new sales').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import 3 sales' }).click();
  await page.waitForURL('**/admin/earnings');
  await page.locator('span', { hasText: 'Report imported: 3 new sales' }).first().waitFor();
  const deals = page.getByRole('region', { name: 'Deals' });
  await deals.getByRole('link', { name: title }).waitFor();
  await deals.getByText('£1,251.14').waitFor();
  expect(await examine(page)).toEqual([]);

  await openHydrated(page, '/admin/earnings/postbacks');
  await page.getByText('/api/postback/awin?token=').waitFor();
  await openHydrated(page, '/admin/earnings');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.locator('span', { hasText: 'Import undone: 3 sales' }).first().waitFor();
  await page.getByText('No sale in the last 30 days.').waitFor();
  expect(complaints).toEqual([]);
});
