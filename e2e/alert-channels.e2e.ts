import { expect, test } from 'vitest';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop(() => ({ ALERT_PRIVATE_HOSTS: '127.0.0.1' }));
const browser = useBrowser();
const standIn = useChannelStandIn();

const linkIn = (text: string, label: string) =>
  new RegExp(`${label}: (\\S+)`).exec(text)?.[1] ?? '';

test('adds an ntfy channel by its code, sends an alert to it, and stops the channel through its link', async () => {
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  const userId = await openStaffSession(page.context(), 'reader', { role: 'user' });
  await openHydrated(page, '/price-alerts');
  await page.getByRole('link', { name: 'Add ntfy' }).click();
  const { server, topic, token } = standIn().settings.ntfy;
  await page.getByLabel('Server').fill(server);
  await page.getByLabel('Topic').fill(topic);
  await page.getByLabel('Token').fill(token);
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText('We sent a code to your channel.').waitFor();
  expect(await examine(page)).toEqual([]);
  const code = /code is (\d{6})/.exec(standIn().shown[0]?.text ?? '')?.[1] ?? '';
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your channel now gets your alerts.').waitFor();

  await withShopDatabase(async (db) => {
    const deal = await insertDeal(db, { title: 'Walnut desk lamp', sale_price: 10_000 });
    await db
      .insertInto('price_alerts')
      .values({ user_id: userId, deal_id: deal.id, target_price: 9_000, target_percent: null })
      .execute();
  });
  await openHydrated(page, '/price-alerts');
  await page.getByRole('link', { name: 'Edit: Walnut desk lamp' }).click();
  await page.getByLabel('Send to').selectOption('Your channels only');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByLabel('Send to').waitFor({ state: 'detached' });
  await withShopDatabase((db) =>
    db
      .updateTable('deals')
      .set({ sale_price: 8_000 })
      .where('title', '=', 'Walnut desk lamp')
      .execute(),
  );
  await expect.poll(() => standIn().shown.length, { timeout: 60_000 }).toBe(2);
  const { text = '' } = standIn().shown[1] ?? {};
  expect(text).toContain('Walnut desk lamp');
  const states = () =>
    withShopDatabase((db) =>
      db
        .selectFrom('mail_outbox')
        .select('state')
        .where('user_id', '=', userId)
        .where('kind', '=', 'price-alert')
        .execute(),
    );
  await expect.poll(states, { timeout: 30_000 }).toEqual([{ state: 'cancelled' }]);

  await openHydrated(page, linkIn(text, 'Stop this channel'));
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop this channel' }).click();
  await page.getByText('This channel no longer gets messages.').waitFor();
  await openHydrated(page, '/price-alerts');
  expect(await page.getByText('gets your alerts').count()).toBe(0);
  expect(complaints).toEqual([]);
});
