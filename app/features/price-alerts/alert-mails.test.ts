import { expect, test } from 'vitest';
import { insertDeal, insertUser } from '#database/factories/insert.ts';
import type { MailSite, OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { alertMails } from './alert-mails.server.ts';

const database = useTestDatabase();
const site: MailSite = {
  name: 'Deal Hub',
  origin: 'https://deals.test',
  contactEmail: 'hello@deals.test',
  postalAddress: '',
  currency: 'USD',
  timeZone: 'UTC',
};

async function fire() {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, { sale_price: 10_000, title: 'Lamp <b>bright</b>' });
  await db
    .insertInto('price_alerts')
    .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
    .execute();
  await db.updateTable('deals').set({ sale_price: 8_000 }).where('id', '=', deal.id).execute();
  const mail: OutboxMail = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return { user, deal, mail };
}

const write = (mail: OutboxMail) => alertMails['price-alert'].write(database.db, mail, site);
const alert = () => database.db.selectFrom('price_alerts').selectAll().executeTakeFirstOrThrow();

test('the mail names the deal, both prices, the target and the low, and one link stops it', async () => {
  const { mail } = await fire();
  const written = await write(mail);
  expect(written?.subject).toBe('Now $80.00: Lamp <b>bright</b>');
  for (const words of ['$80.00', '$100.00', '$90.00', '90 days'])
    expect(written?.text).toContain(words);
  expect(written?.html).not.toContain('<b>bright</b>');
  expect(written?.html).toContain('https://deals.test/stop-mails?token=v1.alert.');
  expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.alert\./);
});

test('R09: a price that rose again is not mailed, and the alert waits anew', async () => {
  const { deal, mail } = await fire();
  await database.db
    .updateTable('deals')
    .set({ sale_price: 9_500 })
    .where('id', '=', deal.id)
    .execute();
  expect(await write(mail)).toBeNull();
  expect(await alert()).toMatchObject({ is_active: true, fired_at: null, last_mailed_price: null });
  await database.db
    .updateTable('deals')
    .set({ sale_price: 9_000 })
    .where('id', '=', deal.id)
    .execute();
  expect((await alert()).fired_price).toBe(9_000);
  const mails = await database.db.selectFrom('mail_outbox').select('id').execute();
  expect(mails).toHaveLength(2);
});

test('R09: stopped, deleted, taken down or out of stock: no mail has a reason any more', async () => {
  const { db } = database;
  const stopped = await fire();
  await db.updateTable('price_alerts').set({ fired_at: null }).execute();
  expect(await write(stopped.mail)).toBeNull();
  await db.deleteFrom('price_alerts').execute();
  expect(await write(stopped.mail)).toBeNull();
  const hidden = await fire();
  await db.updateTable('deals').set({ is_active: false }).execute();
  expect(await write(hidden.mail)).toBeNull();
});
