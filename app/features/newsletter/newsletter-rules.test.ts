import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { defaultSettings, type SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { findFault, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { confirmByLink, unsubscribeByLink } from './follow-newsletter-link.server.ts';
import { findLinkedSubscription, newsletterLinkQuery } from './newsletter-link.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { findSubscription } from './newsletter-queries.server.ts';
import { resendFirstMail, subscribeToNewsletter } from './subscribe-to-newsletter.server.ts';
import { gatherDigest, weekOf, writeDigest } from './write-digest.server.ts';

const database = useTestDatabase();
const services = () => testServices(database);
// Limits are kept in memory by address, so each test uses new addresses.
let email = '';
let second = '';
let count = 0;
beforeEach(() => {
  count += 1;
  email = `reader${count}@mail.example`;
  second = `second${count}@mail.example`;
});
const monday = new Date('2026-11-23T09:07:00Z');
const weeklyOf = (settings: SiteSettings) =>
  ({ kind: 'weekly', settings, now: new Date() }) as const;

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function subscribe(address = email, { solved = true, from = freshAddress() } = {}) {
  const form = new FormData();
  form.set('email', address);
  if (solved) form.set('captcha_token', await solveCaptcha(services()));
  return subscribeToNewsletter(services(), form, from);
}

async function found(address = email) {
  const subscription = await findSubscription(database.db, address);
  if (!subscription) throw new Error('there is no subscription');
  return subscription;
}

const queued = () =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute() as Promise<
    OutboxMail[]
  >;

const kinds = async () => (await queued()).map(({ kind }) => kind);

async function linkOf(purpose: 'unsubscribe' | 'confirm') {
  const query = await newsletterLinkQuery(database.db, purpose, await found());
  const search = new URLSearchParams(query);
  return { email: search.get('email') ?? '', token: search.get('token') ?? '' };
}

async function write(mail: OutboxMail) {
  const kind = newsletterMails[mail.kind as keyof typeof newsletterMails];
  const site = await readMailSite(database.db, services().env);
  const written = await kind.write(database.db, mail, site, 'send');
  expect(written && findFault(kind, written, site)).toBeNull();
  return written;
}

describe('subscribing', () => {
  // Proves Storefront 7: Newsletter (subscribe-to-newsletter.server.ts)
  test('creates an active subscription and queues one welcome email in the same transaction', async () => {
    expect(await subscribe(` Reader${count}@Mail.Example `)).toEqual({
      ok: true,
      isReactivated: false,
    });
    expect(await found()).toMatchObject({
      email: `Reader${count}@mail.example`,
      is_active: true,
      unsubscribed_at: null,
    });
    expect(await queued()).toMatchObject([
      { kind: 'newsletter-welcome', recipient: `Reader${count}@mail.example`, state: 'queued' },
    ]);
  });

  // Proves Storefront 5: Newsletter: a plain address, one row an address (subscribe-to-newsletter.server.ts)
  // Proves R26: contact and newsletter
  test('rejects an invalid address before anything else', async () => {
    for (const bad of ['', 'x', 'a@x.example, b@x.example', 'a@x.example\r\nBcc: b@x.example']) {
      expect(await subscribe(bad, { solved: false })).toEqual({
        ok: false,
        reason: 'invalid-email',
      });
    }
    expect(await queued()).toEqual([]);
  });

  test('does not reveal subscriptions before the captcha is passed (P28)', async () => {
    await subscribe();
    expect(await subscribe(email, { solved: false })).toMatchObject({
      ok: false,
      reason: 'captcha',
      message: 'Please complete the security verification.',
      question: { text: expect.any(String) },
    });
    expect(await subscribe()).toEqual({ ok: false, reason: 'already-subscribed' });
    expect(await subscribe(email.replace('reader', 'READER'))).toEqual({
      ok: false,
      reason: 'already-subscribed',
    });
    expect(await kinds()).toEqual(['newsletter-welcome']);
  });

  test('limits subscriptions to ten an hour per address', async () => {
    const attempt = () => subscribe(email, { solved: false, from: '192.0.2.1' });
    for (let n = 0; n < 10; n += 1) expect(await attempt()).toMatchObject({ reason: 'captcha' });
    expect(await attempt()).toMatchObject({
      reason: 'too-often',
      retryAfterSeconds: expect.any(Number),
    });
    expect(await subscribe(email, { solved: false, from: '192.0.2.9' })).toMatchObject({
      reason: 'captcha',
    });
  });

  // Proves Storefront 4: Newsletter subscription (subscribe-to-newsletter.server.ts)
  // Proves Back office 4: Subscription: active, unsubscribed, active (change-subscriptions.server.ts)
  test('reactivates a subscription after unsubscribing, with one email in 24 hours and new links', async () => {
    await subscribe();
    const old = await linkOf('unsubscribe');
    await unsubscribeByLink(database.db, old);
    expect(await subscribe()).toEqual({ ok: true, isReactivated: true });
    expect(await found()).toMatchObject({ is_active: true, unsubscribed_at: null });
    expect(await kinds()).toEqual(['newsletter-welcome']);
    expect(await unsubscribeByLink(database.db, old)).toBe(false);
    expect((await found()).is_active).toBe(true);
  });

  // Proves Storefront 8: Newsletter: already subscribed, also by a duplicate key (subscribe-to-newsletter.server.ts)
  test('creates one subscription and one email for two parallel requests', async () => {
    const results = await Promise.all([subscribe(), subscribe()]);
    expect(results.filter(({ ok }) => ok).length).toBe(1);
    expect(await kinds()).toEqual(['newsletter-welcome']);
  });

  test('sends the first email if a request that stored nothing used up the limit', async () => {
    expect((await limit(services(), 'subscribe-recipient', email)).ok).toBe(true);
    expect(await subscribe()).toMatchObject({ ok: true });
    expect(await kinds()).toEqual(['newsletter-welcome']);
  });
});

describe('with double opt-in', () => {
  test('activates a double opt-in once, only when the form behind the emailed link is posted', async () => {
    await writeSiteSetting(database.db, 'doubleOptIn', true, 'test');
    expect(await subscribe()).toEqual({ ok: true, isReactivated: false });
    expect((await found()).is_active).toBe(false);
    expect(await kinds()).toEqual(['newsletter-confirm']);

    const link = await linkOf('confirm');
    expect(await subscribe()).toEqual({ ok: true, isReactivated: false });
    // No second email is sent within the limit, and the first link still works.
    expect(await kinds()).toEqual(['newsletter-confirm']);
    expect(await confirmByLink(database.db, { ...link, email: 'other@mail.example' })).toBe(false);
    expect(await confirmByLink(database.db, link)).toBe(true);
    expect(await found()).toMatchObject({ is_active: true, confirmed_at: expect.any(Date) });
    expect(await confirmByLink(database.db, link)).toBe(true);
    expect(await kinds()).toEqual(['newsletter-confirm', 'newsletter-welcome']);
  });

  test('explains in the confirmation what to do if someone else signed up, without showing their input', async () => {
    await writeSiteSetting(database.db, 'doubleOptIn', true, 'test');
    await subscribe();
    const [mail] = await queued();
    const written = await write(mail!);
    expect(written?.text).toContain('you can ignore it: no newsletter is sent');
    expect(written?.html).toContain(
      `/newsletter/confirm?email=reader${count}%40mail.example&amp;token=v1.`,
    );
    expect(written?.unsubscribePath).toMatch(/^\/unsubscribe\/one-click\?email=.*&token=v1\.1\./);
  });

  test('does not undo an unsubscribe with an old confirmation link', async () => {
    await writeSiteSetting(database.db, 'doubleOptIn', true, 'test');
    await subscribe();
    const link = await linkOf('confirm');
    await unsubscribeByLink(database.db, await linkOf('unsubscribe'));
    expect(await confirmByLink(database.db, link)).toBe(false);
    expect((await found()).is_active).toBe(false);
  });
});

describe('Resend', () => {
  async function resend() {
    const form = new FormData();
    form.set('email', email);
    form.set('captcha_token', await solveCaptcha(services()));
    return resendFirstMail(services(), form, freshAddress());
  }

  test('resends the confirmation at most twice a day, and every link works', async () => {
    await writeSiteSetting(database.db, 'doubleOptIn', true, 'test');
    await subscribe();
    const link = await linkOf('confirm');
    for (const _ of [1, 2, 3]) expect(await resend()).toEqual({ ok: true });
    expect(await kinds()).toEqual(Array.from({ length: 3 }, () => 'newsletter-confirm'));
    expect(await linkOf('confirm')).toEqual(link);
    expect(await confirmByLink(database.db, link)).toBe(true);
  });

  test('resends the welcome email without double opt-in', async () => {
    await subscribe();
    await resend();
    expect(await kinds()).toEqual(['newsletter-welcome', 'newsletter-welcome']);
  });

  test('sends nothing to unknown and unsubscribed addresses', async () => {
    expect(await resend()).toEqual({ ok: true });
    expect(await kinds()).toEqual([]);
    await subscribe();
    await unsubscribeByLink(database.db, await linkOf('unsubscribe'));
    expect(await resend()).toEqual({ ok: true });
    expect(await kinds()).toEqual(['newsletter-welcome']);
  });

  test('requires the captcha', async () => {
    const form = new FormData();
    form.set('email', email);
    expect(await resendFirstMail(services(), form, freshAddress())).toMatchObject({
      ok: false,
      reason: 'captcha',
    });
  });
});

describe('emailed links', () => {
  // Proves R25: unsubscribing (newsletter-link.server.ts)
  test('ends the subscription through an emailed link, and keeps the first time if the link is followed twice (R25)', async () => {
    await subscribe();
    const link = await linkOf('unsubscribe');
    expect(await unsubscribeByLink(database.db, link)).toBe(true);
    const first = await found();
    expect(first).toMatchObject({ is_active: false, unsubscribed_at: expect.any(Date) });
    expect(await unsubscribeByLink(database.db, link)).toBe(true);
    expect((await found()).unsubscribed_at).toEqual(first.unsubscribed_at);
  });

  // Proves P17: unsubscribe token (newsletter-link.server.ts)
  test('binds emailed links to address, purpose, subscription and key', async () => {
    await subscribe();
    await subscribe(second);
    const link = await linkOf('unsubscribe');
    const [, id, signature = ''] = link.token.split('.');
    const forged = [
      { ...link, email: second },
      { ...link, token: link.token.replace('v1.1.', 'v1.2.') },
      { email: second, token: link.token.replace('v1.1.', 'v1.2.') },
      { ...link, token: `v2.${id}.${signature}` },
      { ...link, token: `v1.${id}.${signature.slice(0, -1)}` },
      { ...link, token: `v1.${id}.${'A'.repeat(43)}` },
      { ...link, token: 'x'.repeat(10_000) },
      await linkOf('confirm'),
      { email: '', token: '' },
    ];
    for (const one of forged) expect(await unsubscribeByLink(database.db, one)).toBe(false);
    expect(await findLinkedSubscription(database.db, 'unsubscribe', link)).not.toBeNull();
    expect((await found()).is_active).toBe(true);
  });
});

describe('emails', () => {
  // Proves R53: mail format
  test('offers both ways to unsubscribe, and links account pages only in the welcome email, for both kinds of readers', async () => {
    await subscribe();
    const [mail] = await queued();
    const written = await write(mail!);
    expect(written?.subject).toBe('Welcome to the Deal Hub newsletter');
    expect(written?.html).toContain(
      `/unsubscribe?email=reader${count}%40mail.example&amp;token=v1.1.`,
    );
    expect(written?.text).toContain(
      'You are receiving this email because this address was subscribed',
    );
    expect(written?.text).toMatch(/http:\/\/deals\.test\/unsubscribe\?email=/);
    expect(written?.unsubscribePath).toMatch(/^\/unsubscribe\/one-click\?/);
  });

  // Proves R09: recheck before mail (app/features/price-alerts/alert-mails.server.ts)
  test('sends no newsletter email after unsubscribing (R09)', async () => {
    await subscribe();
    await unsubscribeByLink(database.db, await linkOf('unsubscribe'));
    await sendDueMails(services(), {
      kinds: newsletterMails,
      readSite: readMailSite,
      transport: null,
    });
    expect(await queued()).toMatchObject([{ kind: 'newsletter-welcome', state: 'cancelled' }]);
  });
});

describe('the weekly digest', () => {
  const setAddress = () =>
    writeSiteSetting(database.db, 'postalAddress', 'Deal Hub\n1 Main St, Springfield', 'test');

  async function newDeals() {
    await insertDeal(database.db, {
      title: 'Small saving',
      sale_price: 9000,
      original_price: 10_000,
    });
    await insertDeal(database.db, {
      title: 'Large <b>saving</b>',
      sale_price: 5000,
      original_price: 10_000,
    });
    await insertDeal(database.db, { title: 'Hidden', is_active: false });
    await insertDeal(database.db, { title: 'Over', expires_at: new Date(Date.now() - 1000) });
    await insertDeal(database.db, { title: 'Sold out', availability: 'out_of_stock' });
    const merchant = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    await insertDeal(database.db, { title: 'Price not kept', merchant_id: merchant.id });
    await sql`update deals set created_at = now() - interval '8 days' where title = 'Hidden'`.execute(
      database.db,
    );
    const old = await insertDeal(database.db, {
      title: 'Old',
      sale_price: 100,
      original_price: 10_000,
    });
    await sql`update deals set created_at = now() - interval '8 days' where id = ${old.id}`.execute(
      database.db,
    );
  }

  // Proves P28: welcome, digest, double opt-in (write-digest.server.ts)
  test('does not send the digest before a postal address is set (P28)', async () => {
    await newDeals();
    await subscribe();
    expect(await writeDigest(database.db, 'weekly', monday)).toEqual({
      written: false,
      reason: 'no-postal-address',
    });
    expect(await kinds()).toEqual(['newsletter-welcome']);
  });

  test('creates the digest once a week, only for active subscribers, however often the job runs', async () => {
    await newDeals();
    await setAddress();
    await subscribe();
    await subscribe(second);
    await database.db
      .updateTable('newsletter_subscriptions')
      .set({ is_active: false, unsubscribed_at: new Date() })
      .where('email', '=', second)
      .execute();
    const results = await Promise.all([
      writeDigest(database.db, 'weekly', monday),
      writeDigest(database.db, 'weekly', monday),
    ]);
    const mails = results.map((result) => (result.written ? result.mails : 0));
    expect(Math.max(...mails)).toBe(1);
    expect(await writeDigest(database.db, 'weekly', monday)).toEqual({
      written: false,
      reason: 'written',
    });
    const digests = (await queued()).filter(({ kind }) => kind === 'newsletter-digest');
    expect(digests).toMatchObject([{ recipient: email, is_bulk: true }]);
    expect(await writeDigest(database.db, 'weekly', new Date('2026-11-30T09:07:00Z'))).toEqual({
      written: true,
      mails: 1,
    });
  });

  test('completes an interrupted digest in the next run', async () => {
    await newDeals();
    await setAddress();
    await subscribe();
    await subscribe(second);
    const digests = async () => (await kinds()).filter((kind) => kind === 'newsletter-digest');
    await writeDigest(database.db, 'weekly', monday, AbortSignal.abort());
    expect(await digests()).toHaveLength(0);
    expect(await writeDigest(database.db, 'weekly', monday)).toEqual({ written: true, mails: 2 });
    expect(await writeDigest(database.db, 'weekly', monday)).toMatchObject({ written: false });
    expect(await digests()).toHaveLength(2);
  });

  test('sends the digest from Monday at nine until the end of Tuesday', async () => {
    await newDeals();
    await setAddress();
    for (const time of ['2026-11-22T23:59:00Z', '2026-11-23T08:59:00Z', '2026-11-25T00:00:00Z']) {
      expect(await writeDigest(database.db, 'weekly', new Date(time))).toEqual({
        written: false,
        reason: 'not-its-time',
      });
    }
    expect(
      await writeDigest(database.db, 'weekly', new Date('2026-11-24T23:59:00Z')),
    ).toMatchObject({
      written: true,
    });
  });

  test('lists the best new available deals in the digest, with claims and evidence', async () => {
    await newDeals();
    const { deals } = await gatherDigest(database.db, weeklyOf(defaultSettings));
    expect(deals.map(({ title }) => title)).toEqual(['Large <b>saving</b>', 'Small saving']);
    expect(deals[0]).toMatchObject({
      price: '$50.00',
      claim: 'Store says 50% off, was $100.00',
      proof: 'No history yet',
    });
    const observed = { ...defaultSettings, priceClaims: 'observed' as const };
    expect((await gatherDigest(database.db, weeklyOf(observed))).deals[0]?.claim).toBeNull();
  });

  test('includes readable text, address, unsubscribe links and escaped titles in the digest', async () => {
    await newDeals();
    await setAddress();
    await subscribe();
    await writeDigest(database.db, 'weekly', monday);
    const mail = (await queued()).at(-1)!;
    const written = await write(mail);
    expect(written?.subject).toBe('$50.00: Large <b>saving</b>');
    expect(written?.html).toContain('Large &lt;b&gt;saving&lt;/b&gt;');
    expect(written?.html).not.toContain('<b>saving</b>');
    expect(written?.text).toContain('1 Main St, Springfield');
    expect(written?.text).toMatch(/Price log: (No history yet|Same price for \d+ days)/);
    expect(written?.unsubscribePath).toMatch(/^\/unsubscribe\/one-click\?/);
  });

  test('cancels the digest if its reader left, or if the owner turned it off or removed the address', async () => {
    await newDeals();
    await setAddress();
    await subscribe();
    await writeDigest(database.db, 'weekly', monday);
    const mail = (await queued()).at(-1)!;
    await writeSiteSetting(database.db, 'digestEnabled', false, 'test');
    expect(await write(mail)).toBeNull();
    await writeSiteSetting(database.db, 'digestEnabled', true, 'test');
    expect(await write(mail)).not.toBeNull();
    await writeSiteSetting(database.db, 'postalAddress', '', 'test');
    expect(await write(mail)).toBeNull();
    await setAddress();
    await unsubscribeByLink(database.db, await linkOf('unsubscribe'));
    expect(await write(mail)).toBeNull();
    await writeSiteSetting(database.db, 'digestEnabled', false, 'test');
    expect(await writeDigest(database.db, 'weekly', monday)).toEqual({
      written: false,
      reason: 'off',
    });
  });

  test('numbers digest weeks by ISO 8601', () => {
    expect(weekOf(new Date('2026-11-23T00:00:00Z'))).toBe('2026-W48');
    expect(weekOf(new Date('2027-01-03T12:00:00Z'))).toBe('2026-W53');
    expect(weekOf(new Date('2027-01-04T12:00:00Z'))).toBe('2027-W01');
    expect(weekOf(new Date('2025-12-29T12:00:00Z'))).toBe('2026-W01');
  });
});
