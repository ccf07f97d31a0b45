import { describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import type { MailSite, OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { alertMails } from './alert-mails.server.ts';
import { sendTestAlert } from './send-test-alert.server.ts';
import { stopByMail } from '#app/features/watched-searches/stop-by-mail.server.ts';
import { stopAlerts, stopAllAlerts } from './update-alert.server.ts';

const database = useTestDatabase();
const site: MailSite = {
  name: 'Deal Hub',
  origin: 'https://deals.test',
  contactEmail: 'hello@deals.test',
  replyHours: 24,
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

const write = (mail: OutboxMail) =>
  alertMails['price-alert'].write(database.db, mail, site, 'send');
const alert = () => database.db.selectFrom('price_alerts').selectAll().executeTakeFirstOrThrow();

test('states the deal, both prices, the target and the watched period in an alert email, with one link to stop it', async () => {
  const { mail } = await fire();
  const written = await write(mail);
  expect(written?.subject).toBe('Now $80.00: Lamp <b>bright</b>');
  for (const words of ['$80.00', '$100.00', '$90.00', 'less than two days'])
    expect(written?.text).toContain(words);
  expect(written?.html).not.toContain('<b>bright</b>');
  expect(written?.html).toContain('https://deals.test/stop-mails?token=v1.alert.');
  expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.alert\./);
});

// Proves R09: checked again before sending
test('R09: does not email a price that rose again, and re-arms the alert', async () => {
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

describe('a recurring alert', () => {
  async function fireTwice() {
    const { db } = database;
    const user = await insertUser(db);
    const deal = await insertDeal(db, { sale_price: 10_000 });
    const about = { user_id: user.id, deal_id: deal.id };
    await db
      .insertInto('price_alerts')
      .values({ ...about, target_price: 9_000, target_percent: null, repeats: true })
      .execute();
    for (const sale_price of [8_500, 9_500, 8_200]) {
      await db.updateTable('deals').set({ sale_price }).where('id', '=', deal.id).execute();
    }
    const mails = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();
    const [overtaken, last, ...more] = mails as OutboxMail[];
    if (!overtaken || !last) throw new Error('no mail');
    expect(more).toEqual([]);
    return { deal, overtaken, last };
  }

  test('emails only the latest firing of a recurring alert, and states that it recurs', async () => {
    const { overtaken, last } = await fireTwice();
    expect(await write(overtaken)).toBeNull();
    const written = await write(last);
    expect(written?.subject).toContain('Now $82.00');
    expect(written?.text?.replaceAll(/\s+/g, ' ')).toContain(
      'It stays active, and fires again once the price has risen above this one',
    );
  });

  test('re-arms a recurring alert if the deal disappeared before the email was sent', async () => {
    const { deal, last } = await fireTwice();
    const { db } = database;
    const own = db.updateTable('deals').where('id', '=', deal.id);
    await own.set({ availability: 'out_of_stock' }).execute();
    expect(await write(last)).toBeNull();
    expect(await alert()).toMatchObject({
      is_active: true,
      fired_at: null,
      last_mailed_price: null,
    });
    await own.set({ availability: 'in_stock' }).execute();
    expect((await alert()).fired_price).toBe(8_200);
  });
});

describe('three alerts met at once', () => {
  async function fireThree() {
    const { db } = database;
    const user = await insertUser(db);
    const deal = await insertDeal(db, { sale_price: 10_000, availability: 'out_of_stock' });
    const about = { user_id: user.id, deal_id: deal.id };
    await db
      .insertInto('price_alerts')
      .values([
        { ...about, kind: 'target', target_price: 9_000 },
        { ...about, kind: 'any_drop' },
        { ...about, kind: 'back_in_stock' },
      ])
      .execute();
    await db
      .updateTable('deals')
      .set({ sale_price: 8_000, availability: 'in_stock' })
      .where('id', '=', deal.id)
      .execute();
    const [mail, ...more] = await db.selectFrom('mail_outbox').selectAll().execute();
    if (!mail) throw new Error('no mail');
    expect(more).toEqual([]);
    return { user, deal, mail: mail as OutboxMail };
  }
  const events = () =>
    database.db
      .selectFrom('price_alert_events as e')
      .innerJoin('price_alerts as a', 'a.id', 'e.alert_id')
      .select(['a.id', 'e.mail_state', 'e.mail_key'])
      .orderBy('e.id')
      .execute();

  test('sends one email for three alerts met at once, and counts it as one of ten a day', async () => {
    const { mail } = await fireThree();
    const written = await write(mail);
    expect(written?.subject).toMatch(/^Back in stock at \$80\.00: /);
    expect(written?.text).toContain(
      'it costs $90.00 or less; the price drops; it is back in stock',
    );
    expect(written?.text).toContain('Stop these alerts');
    expect((await events()).map((event) => [event.mail_state, event.mail_key])).toEqual(
      Array.from({ length: 3 }, () => ['queued', mail.key]),
    );
    const days = await database.db.selectFrom('alert_mail_days').select('mails').execute();
    expect(days).toEqual([{ mails: 1 }]);
  });

  test('omits an alert that was stopped in the meantime from the combined email', async () => {
    const { mail } = await fireThree();
    await stopAlerts(database.db, [(await events())[0]?.id ?? 0]);
    const written = await write(mail);
    expect(written?.text).toContain('the price drops; it is back in stock');
    expect(written?.text).not.toContain('it costs $90.00 or less');
  });

  test('stops all alerts of a combined email through its single link', async () => {
    const { mail } = await fireThree();
    const ids = (await events()).map(({ id }) => id).join('-');
    expect((await write(mail))?.unsubscribePath).toContain(`token=v1.alert.${ids}.`);
    await stopByMail(database.db, { what: 'alert', id: ids });
    expect(await write(mail)).toBeNull();
  });

  test('applies no cooldown if one of the combined alerts was never emailed', async () => {
    const { db } = database;
    const user = await insertUser(db);
    const deal = await insertDeal(db, { sale_price: 10_000 });
    const about = { user_id: user.id, deal_id: deal.id };
    const row = { ...about, kind: 'target' as const, target_price: 9_000 };
    await db
      .insertInto('price_alerts')
      .values([
        { ...row, last_mailed_at: new Date() },
        { ...about, kind: 'any_drop' },
      ])
      .execute();
    await db.updateTable('deals').set({ sale_price: 8_000 }).where('id', '=', deal.id).execute();
    const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
    expect(mail.due_at.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

test('R15: changes nothing when an outdated email is only viewed', async () => {
  const { deal, mail } = await fire();
  const { db } = database;
  await db.updateTable('deals').set({ sale_price: 9_500 }).where('id', '=', deal.id).execute();
  const before = await alert();
  for (const purpose of ['look', 'print'] as const)
    expect(await alertMails['price-alert'].write(db, mail, site, purpose)).toBeNull();
  expect(await alert()).toEqual(before);
});

test('R09: cancels emails of stopped, deleted, unpublished and out-of-stock alerts', async () => {
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

describe('the digest of a day with more than ten emails', () => {
  async function fireEleventh(count: number) {
    const { db } = database;
    const { user, deal: first, mail } = await fire();
    await db.updateTable('alert_mail_days').set({ mails: 10 }).execute();
    const deals = [];
    for (let n = 1; n <= count; n++) {
      const deal = await insertDeal(db, { sale_price: 10_000, title: `Digested ${n}` });
      const row = { user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null };
      await db.insertInto('price_alerts').values(row).execute();
      await db.updateTable('deals').set({ sale_price: 8_000 }).where('id', '=', deal.id).execute();
      deals.push(deal);
    }
    const digest: OutboxMail = await db
      .selectFrom('mail_outbox')
      .selectAll()
      .where('kind', '=', 'price-alert-digest')
      .executeTakeFirstOrThrow();
    const writeDigest = () => alertMails['price-alert-digest'].write(db, digest, site, 'send');
    return { user, first, mail, deals, digest, writeDigest };
  }
  const setPrice = (id: number | undefined, sale_price: number) =>
    database.db
      .updateTable('deals')
      .set({ sale_price })
      .where('id', '=', id ?? 0)
      .execute();

  test('sends one digest at the end of a day for the alerts beyond ten emails', async () => {
    const { digest, writeDigest } = await fireEleventh(2);
    const tomorrow = new Date();
    tomorrow.setUTCHours(24, 0, 0, 0);
    expect(digest.due_at).toEqual(tomorrow);
    const written = await writeDigest();
    expect(written?.subject).toBe('2 more price alerts at Deal Hub');
    expect(written?.text).toContain('Digested 1');
    expect(written?.text).toContain('$80.00 was $100.00');
    expect(written?.text).not.toContain('Lamp');
    expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.alerts\./);
  });

  test('R09: omits prices that rose again from the digest, re-arms their alerts, and cancels an empty digest', async () => {
    const { deals, writeDigest } = await fireEleventh(2);
    await setPrice(deals[0]?.id, 9_500);
    const written = await writeDigest();
    expect(written?.subject).toBe('1 more price alert at Deal Hub');
    expect(written?.text).not.toContain('Digested 1');
    const armed = await database.db
      .selectFrom('price_alerts')
      .select(['deal_id', 'last_mailed_price'])
      .where('is_active', '=', true)
      .execute();
    expect(armed).toEqual([{ deal_id: deals[0]?.id, last_mailed_price: null }]);
    await setPrice(deals[1]?.id, 9_500);
    expect(await writeDigest()).toBeNull();
  });

  test('R09: cancels the digest when its reader stopped all alerts', async () => {
    const { user, writeDigest } = await fireEleventh(1);
    await stopAllAlerts(database.db, { userId: user.id });
    expect(await writeDigest()).toBeNull();
  });
});

test('labels a test alert as a test, changes nothing, and requires the deal to exist', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, { sale_price: 10_000, title: 'Quiet fan' });
  const row = { user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null };
  await db.insertInto('price_alerts').values(row).execute();
  const before = await alert();
  await sendTestAlert(db, user, before.id, new Date());
  const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
  const written = await alertMails['price-alert-test'].write(db, mail, site, 'send');
  expect(written?.subject).toBe('Test: Now $100.00: Quiet fan');
  expect(written?.text).toContain('you asked for a test');
  expect(await alert()).toEqual(before);
  await db.updateTable('deals').set({ is_active: false }).execute();
  expect(await alertMails['price-alert-test'].write(db, mail, site, 'send')).toBeNull();
});

test('reports a deal back in stock at any price, with its own wording', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, {
    sale_price: 10_000,
    title: 'Fan',
    availability: 'out_of_stock',
  });
  await db
    .insertInto('price_alerts')
    .values({
      user_id: user.id,
      deal_id: deal.id,
      kind: 'back_in_stock',
      target_price: null,
      target_percent: null,
    })
    .execute();
  await db.updateTable('deals').set({ availability: 'in_stock' }).execute();
  const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
  const written = await write(mail);
  expect(written?.subject).toBe('Back in stock at $100.00: Fan');
  expect(written?.text).not.toContain('Your target');
});
