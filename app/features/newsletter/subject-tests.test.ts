import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { countNewsletterLink } from '#app/features/clicks/newsletter-link-queries.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import type { Delivery, MailTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { copyNewsletter, createNewsletter, updateNewsletter } from './change-newsletter.server.ts';
import { chooseSubject, readTestCounts } from './choose-subject.server.ts';
import { unsubscribeByLink } from './follow-newsletter-link.server.ts';
import { findNewsletter } from './managed-newsletter-queries.server.ts';
import { newsletterInput } from './newsletter-input.ts';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { findSubscription } from './newsletter-queries.server.ts';
import { queueNewsletters } from './queue-newsletters.server.ts';
import {
  pauseNewsletter,
  resumeNewsletter,
  startNewsletter,
  testNewsletter,
} from './send-newsletter.server.ts';
import { findLeader, isWithinChance, readVariantB } from './subject-test.ts';

const database = useTestDatabase();
const hour = 3_600_000;
const readers = 200;
const origin = 'https://deals.test';
let shift = 0;
const services = () => ({
  ...testServices(database, { SMTP_HOST: '127.0.0.1' }),
  now: () => new Date(Date.now() + shift),
});
const words = {
  subject: 'Lamps',
  preview: '',
  content: '<p>Read <a href="/blog">more</a>.</p>',
  audience_since: null,
  audience_confirmed: false,
  subject_b: 'Lights',
  preview_b: 'Bright',
  test_percent: 10,
  test_hours: 4 as number | null,
};

beforeEach(async () => {
  shift = 0;
  await writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test');
  await writeSiteSetting(database.db, 'newsletterPerHour', 360_000, 'test');
  await sql`insert into newsletter_subscriptions (email, subscribed_at)
    select 'reader' || n || '@mail.example', now() - interval '1 day' from generate_series(1, ${readers}::integer) n`.execute(
    database.db,
  );
});

async function start(change: Partial<typeof words> = {}): Promise<number> {
  const saved = await createNewsletter(
    database.db,
    { ...words, ...change },
    { actor: 'ada', origin },
  );
  if (!saved.ok) throw new Error(saved.reason);
  const { id } = saved.newsletter;
  const seen = { actor: 'ada', expectedVersion: 1, until: new Date() };
  const started = await startNewsletter(services(), id, seen);
  expect(started).toEqual({ ok: true, recipients: readers });
  return id;
}

/** Runs the job once without waiting for the sending rate. */
async function runJob(): Promise<void> {
  await database.db.updateTable('newsletters').set({ paced_at: null }).execute();
  await queueNewsletters(services());
}

async function deliver(): Promise<{ to: string; subject: string; html: string }[]> {
  const arrived: { to: string; subject: string; html: string }[] = [];
  const transport: MailTransport = {
    description: 'a test',
    deliver: async ({ to, subject, html }): Promise<Delivery> => {
      arrived.push({ to, subject, html });
      return { outcome: 'sent', words: '250 ok' };
    },
    close: () => {},
  };
  for (let round = 0; round < 20; round++) {
    const before = arrived.length;
    await sendDueMails(services(), { kinds: newsletterMails, readSite: readMailSite, transport });
    if (arrived.length === before) break;
  }
  return arrived;
}

/** Runs the job and the outbox until the newsletter is waiting or sent. */
async function sendAll() {
  const arrived: Awaited<ReturnType<typeof deliver>> = [];
  for (let round = 0; round < 6; round++) {
    await runJob();
    arrived.push(...(await deliver()));
  }
  return arrived;
}

const found = async (id: number) => (await findNewsletter(database.db, id))!;
const click = async (id: number, variant: 'a' | 'b', times: number) => {
  for (let n = 0; n < times; n++) {
    await countNewsletterLink(database.db, { newsletterId: id, position: 1 }, variant);
  }
};

describe('a test of two subjects', () => {
  test('sends each subject to its share, and after the test’s hours the one with more clicks to the rest', async () => {
    const id = await start();
    const tested = await sendAll();
    const [a, b] = ['Lamps', 'Lights'].map((subject) =>
      tested.filter((mail) => mail.subject === subject),
    );
    expect(a!.length).toBeGreaterThan(8);
    expect(b!.length).toBeGreaterThan(8);
    expect(tested.length).toBeLessThan(readers / 2);
    expect(a![0]?.html).toContain(`/out/newsletter/${id}/1?s=a"`);
    expect(b![0]?.html).toContain('Bright');
    expect(await found(id)).toMatchObject({ state: 'sending', winner: null });
    await click(id, 'a', 2);
    await click(id, 'b', 30);
    expect(await readTestCounts(database.db, id)).toEqual({
      a: { sent: a!.length, clicks: 2 },
      b: { sent: b!.length, clicks: 30 },
    });
    shift = 4 * hour - 60_000;
    expect(await sendAll()).toEqual([]);
    shift = 4 * hour + 60_000;
    const rest = await sendAll();
    expect(new Set(rest.map(({ subject }) => subject))).toEqual(new Set(['Lights']));
    expect(rest[0]?.html).not.toContain('?s=');
    expect(new Set([...tested, ...rest].map(({ to }) => to)).size).toBe(readers);
    expect(tested.length + rest.length).toBe(readers);
    expect(await found(id)).toMatchObject({ state: 'sent', winner: 'b' });
  });

  test('waits for a choice if no hours are set, and accepts only the first choice', async () => {
    const id = await start({ test_hours: null });
    const choose = (variant: 'a' | 'b') =>
      chooseSubject(database.db, id, { variant, actor: 'ada' });
    expect(await choose('a')).toEqual({ ok: false, reason: 'not-tested' });
    const tested = await sendAll();
    shift = 500 * hour;
    expect(await sendAll()).toEqual([]);
    const both = await Promise.all([choose('a'), choose('b'), choose('a')]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.filter(({ ok }) => !ok)).toContainEqual({ ok: false, reason: 'chosen' });
    const rest = await sendAll();
    expect(tested.length + rest.length).toBe(readers);
    expect(await choose('a')).toEqual({ ok: false, reason: 'chosen' });
    expect(await found(id)).toMatchObject({ state: 'sent' });
  });

  test('sends each subject to half of the subscribers if the test includes all of them', async () => {
    const id = await start({ test_percent: 50 });
    const arrived = await sendAll();
    expect(arrived).toHaveLength(readers);
    expect(new Set(arrived.map(({ subject }) => subject)).size).toBe(2);
    expect(await found(id)).toMatchObject({ state: 'sent', winner: null });
    // Counts remain after emails are deleted from the outbox.
    const before = await readTestCounts(database.db, id);
    await database.db.deleteFrom('mail_outbox').execute();
    expect(await readTestCounts(database.db, id)).toEqual(before);
    expect(before.a.sent + before.b.sent).toBe(readers);
  });

  test('sends each subscriber one email when an A/B test is paused before, during or after the choice', async () => {
    const id = await start({ test_hours: null });
    const pause = () => pauseNewsletter(database.db, id, 'ada');
    const resume = () => resumeNewsletter(services(), id, 'ada');
    await runJob();
    await pause();
    expect((await found(id)).tested_at).toBeNull();
    await resume();
    const tested = await sendAll();
    await pause();
    expect(await chooseSubject(database.db, id, { variant: 'b', actor: 'ada' })).toEqual({
      ok: true,
    });
    await resume();
    await runJob();
    await pause();
    await resume();
    const rest = await sendAll();
    const everyone = [...tested, ...rest].map(({ to }) => to);
    expect(everyone).toHaveLength(readers);
    expect(new Set(everyone).size).toBe(readers);
    expect(new Set(rest.map(({ subject }) => subject))).toEqual(new Set(['Lights']));
  });

  test('sends the chosen subject to subscribers in the test whose email was canceled after the choice', async () => {
    const id = await start({ test_hours: null });
    await runJob();
    // The emails are still queued when the test is recorded as complete.
    await database.db.updateTable('newsletters').set({ tested_at: new Date() }).execute();
    await chooseSubject(database.db, id, { variant: 'b', actor: 'ada' });
    await pauseNewsletter(database.db, id, 'ada');
    await resumeNewsletter(services(), id, 'ada');
    const arrived = await sendAll();
    expect(new Set(arrived.map(({ to }) => to)).size).toBe(readers);
    expect(arrived).toHaveLength(readers);
    expect(arrived.every(({ subject }) => subject === 'Lights')).toBe(true);
  });

  test('skips a reader who left between the test and the rest', async () => {
    const id = await start({ test_hours: null });
    const tested = new Set((await sendAll()).map(({ to }) => to));
    const names = Array.from({ length: readers }, (_, n) => `reader${n + 1}@mail.example`);
    const email = names.find((name) => !tested.has(name)) ?? '';
    const reader = (await findSubscription(database.db, email))!;
    const query = new URLSearchParams(
      await newsletterLinkQuery(database.db, 'unsubscribe', reader),
    );
    const link = { email, token: query.get('token') ?? '', list: 2, newsletter: id };
    expect(await unsubscribeByLink(database.db, link)).toBe(true);
    await chooseSubject(database.db, id, { variant: 'a', actor: 'ada' });
    const rest = await sendAll();
    expect(rest.map(({ to }) => to)).not.toContain(email);
    expect(tested.size + rest.length).toBe(readers - 1);
  });

  test('allows only the content to change once a test has begun', async () => {
    const id = await start();
    await runJob();
    await pauseNewsletter(database.db, id, 'ada');
    const { version } = await found(id);
    const change = {
      ...words,
      subject: 'New',
      subject_b: '',
      content: '<p>Newer.</p>',
      test_percent: 50,
    };
    const writer = { actor: 'ada', origin, expectedVersion: version };
    expect(await updateNewsletter(database.db, id, change, writer)).toMatchObject({ ok: true });
    expect(await found(id)).toMatchObject({
      subject: 'Lamps',
      subject_b: 'Lights',
      test_percent: 10,
      content: '<p>Newer.</p>',
    });
  });

  test('emails both subjects to the author of a test, and copies both to a duplicate', async () => {
    const saved = await createNewsletter(database.db, words, { actor: 'ada', origin });
    const id = saved.ok ? saved.newsletter.id : 0;
    await testNewsletter(services(), id, { id: 'ada', email: 'ada@staff.example' });
    const subjects = (await deliver()).map(({ subject }) => subject).toSorted();
    expect(subjects).toEqual(['Test: Lamps', 'Test: Lights']);
    const copy = await copyNewsletter(database.db, id, 'ada');
    expect(await found(copy ?? 0)).toMatchObject({ subject_b: 'Lights', winner: null });
  });
});

test('rejects a second subject and preview line equal to the first', () => {
  const parse = (change: object) =>
    newsletterInput('UTC').safeParse({ subject: 'Lamps', preview: 'x', content: 'y', ...change });
  expect(parse({ subject_b: 'Lamps' }).error?.issues[0]).toMatchObject({ path: ['subject_b'] });
  expect(parse({ preview_b: ' x ' }).success).toBe(false);
  expect(parse({ subject_b: 'Lamps', preview_b: 'z' }).success).toBe(true);
  expect(parse({ subject_b: '', preview_b: '' }).success).toBe(true);
  expect(parse({ test_percent: '33' }).success).toBe(false);
  expect(parse({ test_hours: '' }).data?.test_hours).toBeNull();
});

test('finds the leader by clicks per email, and reports small differences as chance', () => {
  const counts = (clicks: number, sent: number) => ({ clicks, sent });
  expect(findLeader(counts(5, 100), counts(6, 200))).toBe('a');
  expect(findLeader(counts(5, 100), counts(11, 200))).toBe('b');
  expect(findLeader(counts(0, 0), counts(0, 0))).toBe('a');
  expect(isWithinChance(counts(10, 100), counts(14, 100))).toBe(true);
  expect(isWithinChance(counts(1, 100), counts(9, 100))).toBe(true);
  expect(isWithinChance(counts(50, 1_000), counts(90, 1_000))).toBe(false);
  expect(isWithinChance(counts(50, 0), counts(90, 1_000))).toBe(true);
  const texts = { subject: 'A', preview: 'p', subject_b: '', preview_b: '' };
  expect(readVariantB(texts)).toBeNull();
  expect(readVariantB({ ...texts, preview_b: 'q' })).toEqual({ subject: 'A', preview: 'q' });
});
