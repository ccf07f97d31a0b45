import { sql } from 'kysely';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import type { Db } from '#database/connect.ts';
import { mails } from '#app/mails.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { insertContactMessage } from '#app/features/contact/contact-queries.server.ts';
import { insertDigestIssue } from '#app/features/newsletter/digest-queries.server.ts';
import { gatherDigest } from '#app/features/newsletter/write-digest.server.ts';
import { writeNewsletter } from '#app/features/newsletter/write-newsletter.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { suspendAddress } from '#app/platform/mail/suspension-queries.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { MailSite, OutboxMail, WrittenMail } from '#app/platform/mail/mail-kind.server.ts';

export const sampleSite: MailSite = {
  name: 'Deal Hub',
  origin: 'https://deals.test',
  contactEmail: 'hello@deals.test',
  replyHours: 24,
  postalAddress: 'Deal Hub Ltd\n12 Market Street\nPortland, OR 97201',
  currency: 'USD',
  timeZone: 'UTC',
};

/** Renders one email of every kind, as the worker would, about deals with these titles. */
export async function writeSampleMails(
  db: Db,
  titles: readonly [string, string, string],
): Promise<Record<string, WrittenMail>> {
  const user = await insertUser(db, { email: 'ada@mail.example', full_name: `Ada ${titles[0]}` });
  const deals = await insertSampleDeals(db, titles);
  await fireAlerts(db, user.id, deals);
  await queueOthers(db, user.id, deals);
  const written: Record<string, WrittenMail> = {};
  const rows: OutboxMail[] = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();
  for (const row of rows) {
    const mail = await mails[row.kind]?.write(db, row, sampleSite, 'send');
    if (mail) written[row.kind] ??= mail;
  }
  return written;
}

/** Hostile names that users might give themselves or their items. */
const evilName = '<img src=x onerror=1> & "q"';

async function insertSampleDeals(db: Db, titles: readonly string[]): Promise<number[]> {
  const merchant_id = (await insertMerchant(db, { name: 'Harbor & Pine' })).id;
  const ids: number[] = [];
  for (const [index, title] of titles.entries()) {
    const { id } = await insertDeal(db, {
      title,
      merchant_id,
      sale_price: 14_999 - index * 2_500,
      original_price: 19_999,
      image_url: index === 2 ? null : '/media/shop/lamp-640.webp',
      coupon_code: index === 1 ? 'SAVE10' : null,
      expires_at: new Date(Date.now() + 20 * 3_600_000),
    });
    await sql`insert into price_log (deal_id, sale_price, original_price, availability, source, at)
      values (${id}, ${8_999 + index * 100}, 19999, 'in_stock', 'import', now() - interval '60 days')`.execute(
      db,
    );
    ids.push(id);
  }
  return ids;
}

/** A newsletter about the deals that is being sent. */
async function insertSampleNewsletter(db: Db, deals: readonly number[]) {
  const content = `<p>Look at <a href="https://lamps.example/">these</a>.</p>${deals.map((id) => `<hr data-deal="${id}">`).join('')}`;
  const newsletter = { id: 1, subject: `Lamps ${evilName}`, preview: evilName, content };
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: sampleSite.origin });
  const services = { db, env, log: createLog('silent'), now: () => new Date() };
  const { letter } = await writeNewsletter(services, newsletter, { isCounted: true });
  const { id: newsletterId } = await db
    .insertInto('newsletters')
    .values({
      subject: newsletter.subject,
      content,
      state: 'sending',
      letter: JSON.stringify(letter),
      started_at: new Date(),
      audience_until: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { letter, newsletterId };
}

/**
 * The first alert is sent by email. The others exceed the daily limit of ten, and wait for the
 * digest.
 */
async function fireAlerts(db: Db, user_id: string, deals: number[]): Promise<void> {
  for (const [index, deal_id] of deals.entries()) {
    await db
      .insertInto('price_alerts')
      .values({ user_id, deal_id, kind: 'target', target_price: 9_000, target_percent: null })
      .execute();
    await db.updateTable('deals').set({ sale_price: 7_999 }).where('id', '=', deal_id).execute();
    if (index === 0) await db.updateTable('alert_mail_days').set({ mails: 10 }).execute();
  }
}

async function queueOthers(db: Db, userId: string, deals: number[]): Promise<void> {
  const to = 'ada@mail.example';
  const { id: alertId } = await db
    .selectFrom('price_alerts')
    .select('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('users')
    .set({ remind_before_expiry: true, follows_mailed_at: new Date() })
    .execute();
  await sql`insert into follows (user_id, merchant_id) select ${userId}, id from merchants`.execute(
    db,
  );
  await sql`insert into user_favorites (user_id, deal_id, reminded_for)
    select ${userId}, id, expires_at from deals`.execute(db);
  await writeSiteSetting(db, 'postalAddress', sampleSite.postalAddress, userId);
  const subscribed = (email: string, is_active: boolean) =>
    db
      .insertInto('newsletter_subscriptions')
      .values({ email, is_active, token_nonce: 'abcdefgh' })
      .returning('id')
      .executeTakeFirstOrThrow();
  const active = await subscribed(to, true);
  const waiting = await subscribed('new@mail.example', false);
  const issueId = await db.transaction().execute(async (tx) => {
    const due = { kind: 'weekly', settings: defaultSettings, now: new Date() } as const;
    const { dealIds, ...content } = await gatherDigest(tx, due);
    return insertDigestIssue(tx, { kind: 'weekly', issue: '2026-W47', content, dealIds });
  });
  const { letter, newsletterId } = await insertSampleNewsletter(db, deals);
  const messageId = await insertContactMessage(db, {
    name: 'Ada <img src=x>',
    email: to,
    subject: 'A "q" & <b>',
    message: 'One <img src=x>\nTwo "q"',
  });
  await db.updateTable('contact_messages').set({ assigned_to: userId }).execute();
  const { id: answerId } = await db
    .insertInto('contact_answers')
    .values({ message_id: messageId, op: 'a-sample', author: userId, body: `Dear ${evilName}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const unproved = { email: 'unproved@mail.example', email_verified: false };
  const { id: unprovedId } = await insertUser(db, unproved);
  await queueMail(db, {
    key: 'sample:verify-email',
    kind: 'verify-email',
    to: unproved.email,
    userId: unprovedId,
    props: {},
  });
  const { id: invitationId } = await db
    .insertInto('staff_invitations')
    .values({
      email: to,
      role: 'admin',
      words: `Welcome, ${evilName}`,
      invited_by: userId,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: requestId } = await db
    .insertInto('watch_requests')
    .values({ email: to, deal_id: deals[0] ?? 0, kind: 'target', target_price: 6_000 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: searchRequestId } = await db
    .insertInto('watch_requests')
    .values({
      email: to,
      search_address: '/deals?search=lamp',
      search_name: `“${evilName}”`,
      cadence: 'daily',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: searchId } = await db
    .insertInto('watched_searches')
    .values({
      user_id: userId,
      address: '/deals?search=lamp',
      name: `“${evilName}”`,
      cadence: 'daily',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const finds = deals.map((deal_id) => ({ search_id: searchId, deal_id, mail: 1 }));
  await db.insertInto('watched_search_finds').values(finds).execute();
  const bounce = { reason: 'bounce', source: 'smtp', diagnostic: '', mailId: null } as const;
  await suspendAddress(db, { ...bounce, address: to, at: null });
  const props: Record<string, object> = {
    'staff-invitation': { invitationId },
    'confirm-address': {},
    'reset-password': {},
    'already-registered': {},
    'password-changed': {},
    'passkey-added': { fullName: `Ada ${evilName}`, name: evilName },
    'provider-connected': { fullName: `Ada ${evilName}`, provider: evilName },
    'provider-disconnected': { fullName: `Ada ${evilName}`, provider: evilName },
    'webhook-switched-off': { endpointId: 1, host: 'hooks.example' },
    'channel-switched-off': { channelId: 1, name: `Channel ${evilName}` },
    'witness-conflict': { address: `https://${evilName}.example`, day: '2026-11-29' },
    'alert-channel-ended': { place: `ntfy.sh/${evilName}`, why: 'failed' },
    'newsletter-confirm': { subscriptionId: waiting.id },
    'newsletter-welcome': { subscriptionId: active.id },
    'newsletter-digest': { subscriptionId: active.id, issueId },
    newsletter: { subscriptionId: active.id, newsletterId },
    'newsletter-test': { letter },
    contact: { messageId },
    'contact-confirmation': { messageId },
    'contact-answer': { answerId },
    'contact-assigned': { messageId },
    'contact-flood': { limit: 500 },
    'favorites-expiring': { dealIds: deals },
    'follows-weekly': { dealIds: deals },
    'price-alert-test': { alertId },
    'price-alerts-paused': { userId, watcherId: null, from: 'GBP' },
    'price-alert-confirm': { requestId },
    'search-confirm': { requestId: searchRequestId },
    'search-news': { searchId, mail: 1 },
    test: { askedAt: 'November 21, 2026 at 12:00 PM UTC' },
  };
  for (const [kind, one] of Object.entries(props)) {
    const recipient = kind === 'newsletter-confirm' ? 'new@mail.example' : to;
    await queueMail(db, { key: `sample:${kind}`, kind, to: recipient, userId, props: { ...one } });
  }
}
