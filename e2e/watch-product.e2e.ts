import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { linkDeals } from '#app/features/products/review-links.server.ts';
import { listOutbox } from '#app/platform/mail/outbox-queries.server.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { findProductPath, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { runCommand } from './run-command.ts';

useOwnShop();
const browser = useBrowser();
const gtin = '4006381333931';
const email = 'guest-nova@mail.example';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'watch-product-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function importOffer(store: string, price: string): Promise<void> {
  const feed = path.join(folder, `${store}.csv`);
  const head = 'id,title,brand,gtin,link,price,availability,product_type,shipping';
  const row = `${store},Lumo Nova 15 256 GB black,Lumo,${gtin},https://${store}.example/1,${price} USD,in stock,Phones,US:::9.00 USD`;
  await writeFile(feed, `${head}\n${row}\n`);
  const merchant = `Phones of ${store}`;
  const outcome = await withShopDatabase((db) => importFeed(db, { file: feed }, { merchant }));
  expect(outcome.state).toBe('done');
}

async function readMail(kind: string): Promise<string> {
  const find = async () => {
    const mails = await withShopDatabase((db) => listOutbox(db, { state: null, limit: 100 }));
    return mails.find((mail) => mail.recipient === email && mail.kind === kind)?.id ?? 0;
  };
  await expect.poll(find, { timeout: 90_000 }).toBeGreaterThan(0);
  return runCommand('mail', 'show', String(await find()));
}

function readLows(): Promise<(number | null)[]> {
  return withShopDatabase(async (db) => {
    const lows = await db.selectFrom('product_lows').select('total').execute();
    return lows.map(({ total }) => total);
  });
}

const linkIn = (text: string, start: string): string =>
  new RegExp(`https?://\\S+${start}[^\\s>]+`).exec(text)?.[0] ?? '';

test('lets a guest watch a product at all stores, confirm it, get an email about another store, and stop', async () => {
  await importOffer('oak', '899.00');
  await importOffer('birch', '905.00');
  await withShopDatabase(async (db) => {
    const rows = await db.selectFrom('deals').select('id').where('gtin', '=', gtin).execute();
    const [one, other] = rows.map(({ id }) => id);
    await linkDeals(db, 'u1', one ?? 0, other ?? 0);
  });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, complaints } = await browser.visit(phone);
  const address = await findProductPath(gtin);
  await openHydrated(page, address);
  await page.getByRole('link', { name: 'Email me when the price falls at any store' }).click();
  await page.getByRole('heading', { name: 'Watch at Any Store' }).waitFor();
  const main = page.locator('main');
  await main.getByLabel('Your price, incl. shipping (optional)').fill('880.00');
  await main.getByLabel('Email address').fill(email);
  await main.getByText('Verified', { exact: true }).waitFor();
  const watch = main.getByRole('button', { name: 'Watch', exact: true });
  await expect.poll(() => watch.isEnabled(), { timeout: 30_000 }).toBe(true);
  expect(await examine(page)).toEqual([]);
  await watch.press('Enter');
  await page.getByText('Check your email: we have sent you a link.').waitFor();

  const asking = await readMail('search-confirm');
  expect(asking).toContain('Subject: Please confirm your price alert');
  expect(asking).not.toContain('Nova');
  await openHydrated(page, linkIn(asking, '/price-alerts/confirm'));
  await page.getByText('$880.00 or less incl. shipping').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Watch this price' }).click();
  await page.getByText('You are now watching this product at any store.').waitFor();
  expect(await examine(page)).toEqual([]);

  // A job stores the lowest price at the time of the confirmation.
  await expect.poll(readLows, { timeout: 90_000 }).toEqual([90_800]);
  await importOffer('birch', '849.00');
  const told = await readMail('search-news');
  expect(told).toContain('Subject: Now $858.00 incl. shipping at Phones of birch');
  expect(told).toContain('Before, it was $908.00 incl. shipping.');
  expect(told).toContain(address);
  await openHydrated(page, linkIn(told, '/stop-mails'));
  await page.getByRole('button', { name: 'Stop watching this search' }).click();
  await page.getByText('You will get no more messages about this search.').waitFor();
  await openHydrated(page, linkIn(told, '/price-alerts/by-mail'));
  await page.getByText('Stopped').waitFor();
  expect(complaints).toEqual([]);
});
