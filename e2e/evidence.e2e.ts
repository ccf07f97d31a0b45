import { expect, it } from 'vitest';
import { ask } from '#database/ask.ts';
import { sealAfter, tamper } from '#test/factories/plant-evidence.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

/** Seals the log, and returns a live deal with the log line before its current one. */
const sealAndFind = () =>
  withShopDatabase(async (db) => {
    await sealAfter(db, 1);
    const found = await ask(db).row<{ slug: string; line: number }>`
      select d.slug, (array_agg(l.id order by l.at desc))[2] as line from deals d join price_log l on l.deal_id = d.id
       where d.is_active and not d.is_expired and l.at > now() - interval '80 days'
       group by d.id having count(*) > 2 order by d.id limit 1`;
    if (!found) throw new Error('The demo shop has no such deal.');
    return found;
  });

it('verifies a new demo shop, whose history is sealed at startup', async () => {
  const slug = await withShopDatabase(async (db) => {
    const sealed = () => ask(db).value<number>`select count(*) from evidence_days`;
    await expect.poll(sealed, { timeout: 60_000, interval: 500 }).toBeGreaterThan(30);
    return ask(db).value<string>`select slug from deals where is_active order by id limit 1`;
  });
  const { page } = await browser.visit();
  await openHydrated(page, `/deals/${slug}`);
  await page.getByRole('link', { name: 'Check this evidence' }).click();
  await page.getByText(/Your browser verified/).waitFor();
});

it('verifies a deal’s chart in the browser, and reports changed and removed prices', async () => {
  const { slug, line } = await sealAndFind();
  const { page, complaints } = await browser.visit();
  await openHydrated(page, `/deals/${slug}`);
  await page.getByRole('link', { name: 'Check this evidence' }).click();
  await page.getByText(/Your browser verified \d+ entries: all are in the signed log/).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/deals/${slug}`);

  await withShopDatabase((db) =>
    tamper(db, `update price_log set sale_price = sale_price + 1 where id = ${line}`),
  );
  await page.getByRole('link', { name: 'Check this evidence' }).click();
  await page.getByText(`Price ${line} was changed or inserted after its day was sealed.`).waitFor();
  await page.getByText(/The chart shows .*, which is not in the log\./).waitFor();

  await withShopDatabase((db) => tamper(db, `delete from price_log where id = ${line}`));
  await page.getByRole('link', { name: 'Check this evidence' }).click();
  await page.getByText(`The evidence is broken. Price ${line} was removed:`).waitFor();
  expect(complaints).toEqual([]);
});

it('links to the explanation without JavaScript', async () => {
  const { slug } = await sealAndFind();
  const { page } = await browser.visit({ javaScriptEnabled: false });
  await page.goto(`/deals/${slug}`);
  await page.getByRole('link', { name: 'Check this evidence' }).click();
  await page.getByRole('heading', { name: 'Price log evidence' }).waitFor();
  await page.getByText('Ed25519:').waitFor();
});
