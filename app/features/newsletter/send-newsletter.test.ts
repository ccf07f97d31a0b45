import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { findFault } from '#app/platform/mail/mail-kind.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import type { Delivery, MailTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import {
  copyNewsletter,
  createNewsletter,
  deleteNewsletter,
  restoreNewsletter,
  updateNewsletter,
} from './change-newsletter.server.ts';
import { unsubscribeByLink } from './follow-newsletter-link.server.ts';
import { findNewsletter, readDeliveryCounts } from './managed-newsletter-queries.server.ts';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { findSubscription } from './newsletter-queries.server.ts';
import { queueNewsletters } from './queue-newsletters.server.ts';
import {
  pauseNewsletter,
  resumeNewsletter,
  scheduleNewsletter,
  startNewsletter,
  testNewsletter,
  unscheduleNewsletter,
} from './send-newsletter.server.ts';

const database = useTestDatabase();
let shift = 0;
const services = (env: Record<string, string> = { SMTP_HOST: '127.0.0.1' }) => ({
  ...testServices(database, env),
  now: () => new Date(Date.now() + shift),
});
const writer = { actor: 'ada', origin: 'https://deals.test' };
const words = {
  subject: 'Lamps',
  preview: '',
  content: '<p>Read <a href="/blog">more</a>.</p>',
  audience_since: null as Date | null,
  audience_confirmed: false,
};

beforeEach(async () => {
  shift = 0;
  await writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test');
  await setRate(360_000);
});

const setRate = (perHour: number) =>
  writeSiteSetting(database.db, 'newsletterPerHour', perHour, 'test');

async function subscribers(count: number): Promise<void> {
  await sql`insert into newsletter_subscriptions (email, subscribed_at)
    select 'reader' || n || '@mail.example', now() - interval '1 day' from generate_series(1, ${count}::integer) n`.execute(
    database.db,
  );
}

async function draft(change: Partial<typeof words> = {}): Promise<number> {
  const saved = await createNewsletter(database.db, { ...words, ...change }, writer);
  if (!saved.ok) throw new Error(saved.reason);
  return saved.newsletter.id;
}

const versionOf = async (id: number) => (await findNewsletter(database.db, id))?.version ?? 0;
const stateOf = async (id: number) => (await findNewsletter(database.db, id))?.state;

async function start(id: number, change: { expectedVersion?: number; until?: Date } = {}) {
  const expectedVersion = await versionOf(id);
  return startNewsletter(services(), id, {
    actor: 'ada',
    expectedVersion,
    until: new Date(),
    ...change,
  });
}

/** Sends all due emails. The server rejects recipients for which `refuses` is true. */
async function deliver(refuses: (to: string) => boolean = () => false): Promise<string[]> {
  const arrived: string[] = [];
  const transport: MailTransport = {
    description: 'a test',
    deliver: async ({ to }): Promise<Delivery> => {
      if (refuses(to)) return { outcome: 'refused', words: '550 no', isAddressRefused: true };
      arrived.push(to);
      return { outcome: 'sent', words: '250 ok' };
    },
    close: () => {},
  };
  await sendDueMails(services(), { kinds: newsletterMails, readSite: readMailSite, transport });
  return arrived;
}

/** Runs the job and the outbox until nothing is due. */
async function sendAll(id: number, refuses?: (to: string) => boolean): Promise<string[]> {
  const arrived: string[] = [];
  for (let round = 0; round < 30 && (await stateOf(id)) === 'sending'; round++) {
    // Pretends that the rate's period has passed.
    await database.db.updateTable('newsletters').set({ paced_at: null }).execute();
    await queueNewsletters(services());
    arrived.push(...(await deliver(refuses)));
  }
  return arrived;
}

const figuresOf = async (id: number) => (await readDeliveryCounts(database.db, [id]))(id);
const queued = () =>
  database.db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('kind', '=', 'newsletter')
    .orderBy('id') // Without an order, rows are returned as stored.
    .execute();
const actions = async () =>
  (await database.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  );

describe('a newsletter', () => {
  test('sends a newsletter to each active subscriber once, and reports the results', async () => {
    await subscribers(100);
    await database.db
      .insertInto('newsletter_subscriptions')
      .values([
        { email: 'left@mail.example', is_active: false, unsubscribed_at: new Date() },
        { email: 'waiting@mail.example', is_active: false },
      ])
      .execute();
    const id = await draft();
    expect(await start(id)).toEqual({ ok: true, recipients: 100 });
    const arrived = await sendAll(id, (to) => to.endsWith('0@mail.example'));
    expect(arrived).toHaveLength(90);
    expect(new Set(arrived).size).toBe(90);
    expect(await stateOf(id)).toBe('sent');
    expect(await figuresOf(id)).toEqual({ sent: 90, failed: 10, skipped: 0, waiting: 0 });
    expect(await actions()).toEqual(['newsletter.create', 'newsletter.send']);
  });

  test('sends a newsletter once, even if two clicks or two people start it', async () => {
    await subscribers(3);
    const id = await draft();
    const version = await versionOf(id);
    const both = await Promise.all([
      start(id, { expectedVersion: version }),
      start(id, { expectedVersion: version }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both).toContainEqual({ ok: false, reason: 'begun' });
    expect(await start(id)).toEqual({ ok: false, reason: 'begun' });
    await Promise.all([queueNewsletters(services()), queueNewsletters(services())]);
    expect(await queued()).toHaveLength(3);
    expect(await sendAll(id)).toHaveLength(3);
  });

  test('does not send a newsletter after someone else changed it (R47)', async () => {
    await subscribers(1);
    const id = await draft();
    const change = { ...words, subject: 'Other lamps' };
    expect(
      await updateNewsletter(database.db, id, change, { ...writer, expectedVersion: 1 }),
    ).toMatchObject({ ok: true });
    expect(
      await updateNewsletter(database.db, id, words, { ...writer, expectedVersion: 1 }),
    ).toMatchObject({ reason: 'changed-meanwhile', current: { subject: 'Other lamps' } });
    expect(await start(id, { expectedVersion: 1 })).toEqual({
      ok: false,
      reason: 'changed-meanwhile',
    });
    expect(await queued()).toEqual([]);
  });

  test('does not send a newsletter without a postal address, email server, readers or content', async () => {
    const id = await draft();
    expect(await start(id)).toEqual({ ok: false, reason: 'nobody' });
    await subscribers(1);
    const seen = { actor: 'ada', expectedVersion: 1, until: new Date() };
    expect(await startNewsletter(services({}), id, seen)).toEqual({
      ok: false,
      reason: 'no-mail-server',
    });
    const gone = await draft({ content: '<hr data-deal="999" title="Gone">' });
    expect(await start(gone)).toEqual({ ok: false, reason: 'empty' });
    await writeSiteSetting(database.db, 'postalAddress', '', 'test');
    expect(await start(id)).toEqual({ ok: false, reason: 'no-postal-address' });
    expect(await stateOf(id)).toBe('draft');
  });

  test('sends a newsletter to the subscribers that were counted, but not to later ones', async () => {
    await subscribers(2);
    const id = await draft();
    const until = new Date();
    await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email: 'late@mail.example', subscribed_at: new Date(Date.now() + 60_000) })
      .execute();
    expect(await start(id, { until })).toEqual({ ok: true, recipients: 2 });
    expect((await sendAll(id)).toSorted()).toEqual([
      'reader1@mail.example',
      'reader2@mail.example',
    ]);
  });

  test('narrows a newsletter’s audience by the subscription date or by confirmation', async () => {
    await subscribers(2);
    await database.db
      .insertInto('newsletter_subscriptions')
      .values([
        { email: 'old@mail.example', subscribed_at: new Date('2020-01-01') },
        { email: 'sure@mail.example', confirmed_at: new Date() },
      ])
      .execute();
    const since = await draft({ audience_since: new Date('2024-01-01') });
    expect(await start(since)).toMatchObject({ recipients: 3 });
    expect(await sendAll(since)).toHaveLength(3);
    const sure = await draft({ audience_confirmed: true });
    expect(await start(sure)).toMatchObject({ recipients: 1 });
    expect(await sendAll(sure)).toEqual(['sure@mail.example']);
  });

  test('does not send a newsletter to anyone who unsubscribed, before or after it was queued', async () => {
    await setRate(3600);
    await subscribers(30);
    const id = await draft();
    await start(id);
    await queueNewsletters(services());
    const [waiting] = await queued();
    const leave = (email: string) =>
      database.db
        .updateTable('newsletter_subscriptions')
        .set({ is_active: false, unsubscribed_at: new Date() })
        .where('email', '=', email)
        .execute();
    await leave(waiting?.recipient ?? '');
    await leave('reader30@mail.example');
    const arrived = await sendAll(id);
    expect(arrived).toHaveLength(28);
    expect(arrived).not.toContain(waiting?.recipient);
    expect(arrived).not.toContain('reader30@mail.example');
    expect(await figuresOf(id)).toMatchObject({ sent: 28, skipped: 1 });
  });
});

describe('the sending rate', () => {
  const at = async (seconds: number) => {
    await sql`update newsletters set paced_at = paced_at - make_interval(secs => ${seconds})`.execute(
      database.db,
    );
    await queueNewsletters(services());
    return (await queued()).length;
  };

  test('sends as many newsletter emails as its rate allows, and does not catch up after long downtimes', async () => {
    await setRate(3600); // one email a second
    await subscribers(100);
    const id = await draft();
    await start(id);
    expect(await at(0)).toBe(10); // A delayed job catches up for ten seconds.
    expect(await at(0)).toBe(10);
    expect(await at(4)).toBe(14);
    expect(await at(3600)).toBe(24);
  });

  test('supports a rate below one email per job run', async () => {
    await setRate(10); // one email every six minutes
    await subscribers(5);
    await start(await draft());
    expect(await at(0)).toBe(1);
    expect(await at(300)).toBe(1);
    expect(await at(60)).toBe(2);
  });

  test('applies the sending rate to the whole site, so that a second newsletter waits for the first', async () => {
    await setRate(3600);
    await subscribers(15);
    const [first, second] = [await draft(), await draft()];
    await start(first);
    await start(second);
    expect(await at(0)).toBe(10);
    expect((await queued()).every(({ payload }) => payload['newsletterId'] === first)).toBe(true);
    const arrived = [...(await sendAll(first)), ...(await sendAll(second))];
    expect(arrived).toHaveLength(30);
  });

  test('does not fill the outbox while the email server is down', async () => {
    await setRate(60);
    await subscribers(60);
    await start(await draft());
    for (let n = 0; n < 40; n++) await at(60);
    expect(await queued()).toHaveLength(20);
  });
});

describe('pausing', () => {
  test('cancels queued emails when paused, and sends the current content to the rest when resumed', async () => {
    await subscribers(20);
    const id = await draft();
    await setRate(3600);
    await start(id);
    await queueNewsletters(services());
    const some = await queued();
    expect(some).toHaveLength(10);
    await sql`update mail_outbox set due_at = now() + interval '1 hour' where id > ${some[3]?.id}`.execute(
      database.db,
    );
    expect(await deliver()).toHaveLength(4);
    expect(await pauseNewsletter(database.db, id, 'ada')).toBe(true);
    expect(await pauseNewsletter(database.db, id, 'ada')).toBe(false);
    expect(await figuresOf(id)).toEqual({ sent: 4, failed: 0, skipped: 0, waiting: 0 });
    await queueNewsletters(services());
    expect(await queued()).toHaveLength(4);

    const better = { ...words, content: '<p>Better words</p>', audience_confirmed: true };
    const expectedVersion = await versionOf(id);
    await updateNewsletter(database.db, id, better, { ...writer, expectedVersion });
    expect((await findNewsletter(database.db, id))?.audience_confirmed).toBe(false);
    expect(await resumeNewsletter(services(), id, 'ada')).toEqual({ ok: true });
    expect(await resumeNewsletter(services(), id, 'ada')).toMatchObject({ reason: 'not-paused' });
    expect(await sendAll(id)).toHaveLength(16);
    const all = await queued();
    expect(new Set(all.map(({ recipient }) => recipient)).size).toBe(20);
    const last = all.at(-1)!;
    const site = await readMailSite(database.db, services().env);
    const written = await newsletterMails.newsletter.write(database.db, last, site, 'send');
    expect(written?.text).toContain('Better words');
    expect(await actions()).toContain('newsletter.pause');
  });

  test('pauses sending when the postal address is removed', async () => {
    await subscribers(5);
    const id = await draft();
    await start(id);
    await writeSiteSetting(database.db, 'postalAddress', '', 'test');
    await queueNewsletters(services());
    expect(await findNewsletter(database.db, id)).toMatchObject({
      state: 'paused',
      held_because: 'no-postal-address',
    });
    expect(await resumeNewsletter(services(), id, 'ada')).toEqual({
      ok: false,
      reason: 'no-postal-address',
    });
  });

  test('sends no duplicates after the outbox has deleted emails older than 90 days', async () => {
    await subscribers(3);
    const id = await draft();
    await start(id);
    await setRate(360_000);
    await queueNewsletters(services());
    await deliver((to) => to.startsWith('reader3'));
    // One email has not been sent yet.
    await database.db.updateTable('newsletters').set({ state: 'paused' }).execute();
    await sql`update mail_outbox set created_at = now() - interval '100 days'`.execute(database.db);
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await queued()).toHaveLength(3);
    await sql`update newsletters set queued_up_to = 0, is_queued = false`.execute(database.db);
    await resumeNewsletter(services(), id, 'ada');
    expect(await sendAll(id)).toEqual([]);
    await forgetOldRows(database.db, 'forget-old-mails');
    expect(await queued()).toEqual([]);
    expect(await figuresOf(id)).toEqual({ sent: 2, failed: 1, skipped: 0, waiting: 0 });
  });
});

describe('a scheduled newsletter', () => {
  const schedule = async (id: number, sendAt: Date) =>
    scheduleNewsletter(services(), id, {
      actor: 'ada',
      expectedVersion: await versionOf(id),
      sendAt,
    });
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  test('starts a scheduled newsletter at its time, in only one process', async () => {
    await subscribers(2);
    const id = await draft();
    expect(await schedule(id, new Date())).toEqual({ ok: false, reason: 'past' });
    expect(await schedule(id, inAnHour())).toEqual({ ok: true });
    await queueNewsletters(services());
    expect(await stateOf(id)).toBe('scheduled');
    shift = 3_600_001;
    await Promise.all([queueNewsletters(services()), queueNewsletters(services())]);
    expect(await stateOf(id)).toBe('sending');
    expect(await queued()).toHaveLength(2);
    expect((await actions()).filter((action) => action === 'newsletter.send')).toHaveLength(1);
  });

  test('turns a scheduled newsletter into a draft, with the reason, if it cannot start or is a day late', async () => {
    const id = await draft();
    await schedule(id, inAnHour());
    shift = 3_600_001;
    await queueNewsletters(services());
    const held = async () => await findNewsletter(database.db, id);
    expect(await held()).toMatchObject({ state: 'draft', held_because: 'nobody' });
    await subscribers(1);
    shift = 0;
    await schedule(id, inAnHour());
    shift = 26 * 3_600_000;
    await queueNewsletters(services());
    expect(await held()).toMatchObject({ state: 'draft', held_because: 'too-late' });
  });

  test('cancels a scheduled newsletter once', async () => {
    const id = await draft();
    await schedule(id, inAnHour());
    expect(await unscheduleNewsletter(database.db, id, 'ada')).toBe(true);
    expect(await unscheduleNewsletter(database.db, id, 'ada')).toBe(false);
    shift = 3_600_001;
    await queueNewsletters(services());
    expect(await stateOf(id)).toBe('draft');
  });
});

test('adds one-click unsubscribe and only links of this site, and counts unsubscribes', async () => {
  await subscribers(1);
  await insertDeal(database.db, { id: 7, title: 'Lamp & <b>shade</b>', sale_price: 1999 });
  const id = await draft({
    content: '<p>See <a href="https://other.example/a?b=1">that</a></p><hr data-deal="7">',
  });
  await start(id);
  await queueNewsletters(services());
  const [mail] = await queued();
  const site = await readMailSite(database.db, services().env);
  const kind = newsletterMails.newsletter;
  const written = mail && (await kind.write(database.db, mail, site, 'send'));
  if (!written) throw new Error('nothing was written');
  expect(findFault(kind, written, site)).toBeNull();
  expect(written.html).toContain('Lamp &amp; &lt;b&gt;shade&lt;/b&gt;');
  expect(written.html).not.toContain('other.example');
  expect(written.text).toContain(`/out/newsletter/${id}/1>`);
  expect(written.text).toContain('$19.99');
  expect(written.text).toContain('1 Main St');
  expect(written.unsubscribePath).toMatch(
    new RegExp(`^/unsubscribe/one-click\\?.*&newsletter=${id}&list=2$`),
  );
  const reader = await findSubscription(database.db, 'reader1@mail.example');
  const query = new URLSearchParams(await newsletterLinkQuery(database.db, 'unsubscribe', reader!));
  const link = {
    email: query.get('email') ?? '',
    token: query.get('token') ?? '',
    newsletter: id,
  };
  await unsubscribeByLink(database.db, link);
  await unsubscribeByLink(database.db, link);
  expect((await findNewsletter(database.db, id))?.left_count).toBe(1);
  expect(await deliver()).toEqual([]);
});

test('sends a test only to the current user, with current prices', async () => {
  await subscribers(2);
  const id = await draft();
  await testNewsletter(services(), id, { id: 'ada', email: 'ada@staff.example' });
  await queueNewsletters(services());
  expect(await deliver()).toEqual(['ada@staff.example']);
  expect(await stateOf(id)).toBe('draft');
});

test('duplicates, deletes and restores a newsletter draft, and keeps sent newsletters', async () => {
  await subscribers(1);
  const id = await draft();
  await start(id);
  expect(await deleteNewsletter(database.db, id, 'ada')).toBe(false);
  const copy = await copyNewsletter(database.db, id, 'ada');
  expect(await findNewsletter(database.db, copy ?? 0)).toMatchObject({
    state: 'draft',
    subject: 'Lamps',
    started_at: null,
  });
  expect(await deleteNewsletter(database.db, copy ?? 0, 'ada')).toBe(true);
  expect(await restoreNewsletter(database.db, copy ?? 0, 'ada')).toEqual({ ok: true });
  expect(await stateOf(copy ?? 0)).toBe('draft');
  expect(
    await updateNewsletter(database.db, id, words, { ...writer, expectedVersion: 2 }),
  ).toMatchObject({ reason: 'not-editable' });
});
