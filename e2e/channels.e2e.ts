import { expect, test } from 'vitest';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop(() => ({ FEED_PRIVATE_HOSTS: '127.0.0.1' }));
const browser = useBrowser();
const standIn = useChannelStandIn();

async function staff(options: Parameters<typeof browser.visit>[0] = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'publisher');
  return visitor;
}

/** Lowers a price that was unchanged for 40 days. */
const publishLow = () =>
  withShopDatabase(async (db) => {
    const since = new Date(Date.now() - 40 * 86_400_000);
    const title = 'Walnut desk lamp';
    const deal = await insertDeal(db, { title, sale_price: 5_000, price_since: since });
    await db.updateTable('deals').set('sale_price', 4_000).where('id', '=', deal.id).execute();
    return deal;
  });

test('adds a Discord channel, previews and tests it, and posts a real low', async () => {
  const { page, complaints } = await staff();
  await openHydrated(page, '/admin/channels');
  await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('link', { name: 'Discord' }).click();
  await page.getByLabel('Name').fill('Our server');
  await page.getByLabel('Webhook URL').fill(standIn().settings.discord.url);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('status', { name: 'Preview' }).getByText('We may earn').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByLabel('Webhook URL').fill(standIn().settings.discord.url);
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('heading', { name: 'Our server', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Send a test post' }).click();
  await page.locator('span', { hasText: 'Test post sent.' }).first().waitFor();
  expect(standIn().shown.map(({ text }) => text)).toEqual([expect.stringContaining('Test post')]);

  const { slug } = await publishLow();
  // The job that queues posts runs every minute.
  await expect.poll(() => standIn().shown.length, { timeout: 150_000 }).toBe(2);
  const { text = '', picture } = standIn().shown[1] ?? {};
  expect(text).toMatch(/^Walnut desk lamp\n.*Usually/);
  expect(text).toContain(`/deals/${slug}`);
  expect(picture).toContain('/share-pictures/deal-');
  await page.reload();
  await page.getByText('Proven low').waitFor();
  expect(await examine(page)).toEqual([]);
  expect(await page.content()).not.toContain('the-secret-token');
  expect(complaints).toEqual([]);
});
