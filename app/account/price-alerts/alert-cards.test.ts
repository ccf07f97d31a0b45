import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { Page, TestVisitor } from '#test/visitor.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';

const database = useTestDatabase();
const site = testSite(database);
let visitor: TestVisitor & { userId: string };

beforeEach(async () => {
  visitor = await signedInVisitor(database, site, 'user');
});

type NewAlert = {
  kind?: 'target' | 'any_drop' | 'percent_drop' | 'new_low_30' | 'new_low_90' | 'back_in_stock';
  target_price?: number | null;
  target_percent?: number | null;
  repeats?: boolean;
  is_active?: boolean;
  created_at?: Date;
};

async function wait(
  deal: Parameters<typeof insertDeal>[1] = {},
  { kind = 'target', target_price = 4_000, target_percent = null, ...rest }: NewAlert = {},
) {
  const made = await insertDeal(database.db, { sale_price: 5_000, ...deal });
  const alert = await database.db
    .insertInto('price_alerts')
    .values({
      user_id: visitor.userId,
      deal_id: made.id,
      kind,
      target_price: kind === 'target' ? target_price : null,
      target_percent,
      ...rest,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { deal: made, id: alert.id };
}

const words = (page: Page) =>
  textOf(page.html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ''));
const cards = (page: Page) =>
  page.html.replace(/<!--[\s\S]*?-->/g, '').match(/<article[\s\S]*?<\/article>/g) ?? [];

async function open(path = '/price-alerts') {
  const page = await visitor.open(path);
  return {
    page,
    text: words(page),
    cards: cards(page).map((html) => ({ html, text: textOf(html) })),
  };
}

describe('the alert card', () => {
  test('shows deal, store, both prices, status and the full creation date on an alert card', async () => {
    const merchant = await insertMerchant(database.db, { name: 'Lamp House' });
    const { deal } = await wait(
      { title: 'A brass lamp', merchant_id: merchant.id },
      { created_at: new Date('2026-11-05T10:00:00Z') },
    );
    const {
      cards: [card],
    } = await open();
    expect(card?.text).toContain('A brass lamp Lamp House');
    expect(card?.text).toContain('Current Price $50.00');
    expect(card?.text).toContain('Target Price $40.00');
    expect(card?.text).toContain('Status Active');
    expect(card?.text).toContain('Created November 5, 2026');
    expect(card?.html).toContain(`href="/deals/${deal.slug}"`);
  });

  test('shows what a recurring alert waits for after it has fired', async () => {
    const { deal } = await wait({}, { repeats: true });
    const own = database.db.updateTable('deals').where('id', '=', deal.id);
    await own.set({ sale_price: 3_900 }).execute();
    const {
      cards: [card],
    } = await open();
    expect(card?.text).toContain('Target Price $40.00, each time Status Active');
    expect(card?.text).toContain('It fires again once the price has risen above $39.00.');
  });

  test('shows the distance to the target in words and as a line', async () => {
    const { deal } = await wait();
    const first = (await open()).cards[0];
    expect(first?.text).toContain('$10.00 above your target');
    expect(first?.html.match(/<path d="M0 [\d.]+H/g)).toHaveLength(2);
    const own = database.db.updateTable('price_alerts').where('deal_id', '=', deal.id);
    await own.set({ target_price: 5_000, is_active: false }).execute();
    expect((await open()).cards[0]?.text).toContain('At your target');
    await own.set({ kind: 'any_drop', target_price: null }).execute();
    const other = (await open()).cards[0];
    expect(other?.text).not.toContain('your target');
    expect(other?.html.match(/<path d="M0 [\d.]+H/g)).toHaveLength(1);
  });

  test('uses the site’s time zone for dates on an alert card', async () => {
    await writeSiteSetting(database.db, 'timeZone', 'Pacific/Auckland', 'cli');
    await wait({}, { created_at: new Date('2026-11-05T20:00:00Z') });
    expect((await open()).text).toContain('Created November 6, 2026');
  });

  test.each<[NewAlert, string]>([
    [{ kind: 'any_drop' }, 'Alert When Any drop'],
    [{ kind: 'percent_drop', target_percent: 15 }, '15%'],
    [{ kind: 'new_low_30' }, 'Alert When New 30-day low'],
    [{ kind: 'new_low_90' }, 'Alert When New 90-day low'],
    [{ kind: 'back_in_stock' }, 'Alert When Back in stock'],
  ])('describes what an alert of %j waits for', async (rule, expected) => {
    await wait({ availability: 'out_of_stock' }, rule);
    const { text } = await open();
    expect(text).toContain(expected);
    expect(text).not.toContain('Target Price');
  });

  test('explains that an alert cannot fire when the deal has expired or is unpublished', async () => {
    await wait({ title: 'Gone lamp', expires_at: new Date(Date.now() - 60_000) });
    const hidden = await wait({ title: 'Hidden lamp' });
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', hidden.deal.id)
      .execute();
    const { cards: shown } = await open();
    expect(shown).toHaveLength(2);
    for (const { text } of shown) {
      expect(text).toContain('This deal has expired, so the alert cannot fire.');
    }
    // P3: nothing links to an unpublished deal.
    expect(shown.find(({ text }) => text.includes('Hidden lamp'))?.html).not.toContain(
      `/deals/${hidden.deal.slug}`,
    );
  });

  test('explains that the store no longer allows alerts', async () => {
    const merchant = await insertMerchant(database.db);
    await wait({ merchant_id: merchant.id });
    await database.db
      .updateTable('merchants')
      .set({ allow_alerts: false })
      .where('id', '=', merchant.id)
      .execute();
    expect((await open()).text).toContain('This store no longer allows price alerts.');
  });

  test('offers to re-arm an alert that has ended', async () => {
    const { id } = await wait({}, { is_active: false });
    const { page, text } = await open();
    expect(text).toContain('Status Inactive');
    expect(page.html).toMatch(/aria-label="Edit or re-arm: /);
    const dialog = await open(`/price-alerts?edit=${id}`);
    const [box] = dialog.page.html.match(/<input[^>]*name="is_active"[^>]*>/) ?? [];
    expect(box).not.toContain('checked');
    const saved = await visitor.send('/price-alerts', {
      intent: 'update',
      id: String(id),
      target: '30',
      is_active: 'on',
    });
    expect(saved.headers.get('location')).toBe('/price-alerts?saved');
    expect((await open()).text).toContain('Status Active');
  });
});

describe('the history of an alert', () => {
  /** Inserts an event of the alert, with the given status of its email. */
  async function fired(alertId: number, mail: string, minutesAgo = 0) {
    const isQueued = ['waiting', 'sent', 'kept', 'failed', 'cancelled'].includes(mail);
    const key = `price-alert:${alertId}:${mail}:${minutesAgo}`;
    await database.db
      .insertInto('price_alert_events')
      .values({
        alert_id: alertId,
        user_id: visitor.userId,
        old_price: 5_000,
        new_price: 3_900 + minutesAgo,
        fired_at: new Date(Date.now() - minutesAgo * 60_000),
        mail_state: (isQueued ? 'queued' : mail) as 'queued',
        mail_key: isQueued ? key : null,
      })
      .execute();
    if (!isQueued) return;
    await database.db
      .insertInto('mail_outbox')
      .values({
        key,
        kind: 'price-alert',
        recipient: 'a@mail.example',
        payload: '{}',
        state: (mail === 'waiting' ? 'queued' : mail) as 'queued',
      })
      .execute();
  }

  test.each([
    ['waiting', 'The email is on its way.'],
    ['sent', 'The email was sent.'],
    ['kept', 'This site sends no email yet, so the administrator has the message.'],
    ['failed', 'The email could not be delivered.'],
    ['cancelled', 'The email was canceled, since you changed the alert first.'],
    ['digest', 'Included in that day’s summary email.'],
    ['same_drop', 'No email: we already told you about this drop.'],
    ['unverified', 'No email: your address was not verified.'],
    ['price_rose', 'No email: the price had risen again, so the alert was re-armed.'],
  ])('describes an alert email that is %s: %s', async (state, sentence) => {
    const { id } = await wait();
    await fired(id, state);
    const { text } = await open();
    expect(text).toContain('History (1)');
    expect(text).toContain(`$39.00, was $50.00. ${sentence}`);
  });

  test.each([
    ['sent', 'Status Sent on Nov 24, 2026 at $39.00'],
    ['digest', 'Status Sent on Nov 24, 2026 at $39.00'],
    ['waiting', 'Status Fired on Nov 24, 2026 at $39.00'],
  ])(
    'shows when an ended alert whose email is %s fired, and at which price',
    async (mail, status) => {
      const { id } = await wait({}, { is_active: false });
      await fired(id, mail);
      await database.db
        .updateTable('price_alerts')
        .set({ fired_at: new Date('2026-11-24T12:00:00Z'), fired_price: 3_900 })
        .execute();
      const { text } = await open();
      expect(text).toContain(status);
      expect(text).not.toContain('Inactive');
    },
  );

  test('does not show a deleted email as pending', async () => {
    const { id } = await wait();
    await fired(id, 'sent');
    await database.db.deleteFrom('mail_outbox').execute();
    const { text } = await open();
    expect(text).toContain('The email’s status is no longer stored.');
    expect(text).not.toContain('on its way');
  });

  test('shows the ten newest entries of an alert’s history, newest first', async () => {
    const { id } = await wait();
    for (let n = 12; n > 0; n -= 1) await fired(id, 'digest', n);
    const {
      cards: [card],
    } = await open();
    const prices = [...(card?.text ?? '').matchAll(/: (\$\d+\.\d+), was/g)].map(
      ([, price]) => price,
    );
    expect(card?.text).toContain('History (10)');
    expect(prices).toHaveLength(10);
    expect([prices[0], prices.at(-1)]).toEqual(['$39.01', '$39.10']);
  });

  test('shows only the user’s own alert history', async () => {
    const { id } = await wait();
    await fired(id, 'digest');
    visitor = await signedInVisitor(database, site, 'user');
    await wait();
    const { text, cards: shown } = await open();
    expect(shown).toHaveLength(1);
    expect(text).not.toContain('History');
  });
});

describe('the alerts page', () => {
  test('P24: lists active and inactive alerts, newest first, and counts the active ones', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 5, 10, minute));
    await wait({ title: 'First lamp' }, { created_at: at(1) });
    await wait({ title: 'Second lamp' }, { created_at: at(2), is_active: false });
    await wait({ title: 'Third lamp' }, { created_at: at(3) });
    const { text, cards: shown } = await open();
    expect(text).toContain('2 Active Alerts');
    expect(shown.map((card) => /(\w+) lamp/.exec(card.text)?.[1])).toEqual([
      'Third',
      'Second',
      'First',
    ]);
    await database.db
      .updateTable('price_alerts')
      .set({ is_active: false })
      .where('created_at', '<', at(3))
      .execute();
    expect((await open()).text).toContain('1 Active Alert ');
    await database.db.updateTable('price_alerts').set({ currency: 'EUR' }).execute();
    const paused = await open();
    expect(paused.text).toContain('0 Active Alerts');
    expect(paused.cards[0]?.text).toContain('Paused');
  });

  test('offers to create the first alert when there is none', async () => {
    const { page, text } = await open();
    expect(text).toContain('No Price Alerts');
    expect(text).toContain('Create First Alert');
    expect(text).not.toContain('Active Alert');
    expect(page.html).toContain('href="/price-alerts/new"');
  });

  test('warns users whose email is not verified', async () => {
    const warning =
      'Your email address is not verified yet, so your alerts are paused until it is.';
    expect((await open()).text).not.toContain(warning);
    await database.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', visitor.userId)
      .execute();
    const { text } = await open();
    expect(text).toContain(warning);
    expect(text).toContain('Send the link again');
  });

  test.each([
    ['created', 'Price alert set.'],
    ['saved', 'Price alert updated.'],
    ['fired', 'The price already meets your target, so this alert fired at once.'],
    ['deleted', 'Price alert deleted.'],
    ['tested', 'The test email is on its way.'],
  ])('confirms the last action on the alerts page: ?%s', async (name, sentence) => {
    expect((await open(`/price-alerts?${name}`)).text).toContain(sentence);
    expect((await open()).text).not.toContain(sentence);
  });

  test('does not open a dialog for a missing alert', async () => {
    const { id } = await wait();
    visitor = await signedInVisitor(database, site, 'user');
    for (const query of [`edit=${id}`, `delete=${id}`, 'edit=abc', 'edit=', 'delete=-1']) {
      const { page } = await open(`/price-alerts?${query}`);
      expect([query, page.status, page.html.includes('<dialog')]).toEqual([query, 200, false]);
    }
  });
});
