import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { undoSubscriberMove } from '#app/features/moved-subscribers/run-subscriber-move.server.ts';
import { startUndo } from '#app/features/moved-posts/run-move.server.ts';
import { createNewsletter } from '#app/features/newsletter/change-newsletter.server.ts';
import { queueNewsletters } from '#app/features/newsletter/queue-newsletters.server.ts';
import { startNewsletter } from '#app/features/newsletter/send-newsletter.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { mails } from '#app/mails.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { smtpTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { trappedExport, trappedList } from '#test/fixtures/trapped-export.ts';
import { oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { runDeals, useOwner } from '#test/run-deals.ts';
import { testServices } from '#test/services.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { tableContents } from '#test/table-contents.ts';

const database = useTestDatabase();
const owner = useOwner(database);

async function write(name: string, content: string): Promise<string> {
  const file = path.join(owner.folder, name);
  await writeFile(file, content);
  return file;
}

/** Runs `deals move-in`, and kills its process with SIGKILL once the count is above zero. */
async function killAfter(words: string[], count: () => Promise<number>): Promise<void> {
  const started = Promise.withResolvers<ChildProcess>();
  const ended = runDeals(['move-in', ...words], owner.env, { onStart: started.resolve });
  await expect.poll(count, { interval: 5, timeout: 120_000 }).toBeGreaterThan(0);
  (await started.promise).kill('SIGKILL');
  expect((await ended).code).toBeNull();
  // The database ends the killed process's last statement by itself.
  const others = () => ask(database.db).value<number>`
    select count(*)::integer from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await expect.poll(others).toBe(0);
}

async function moveIn(...words: string[]): Promise<string> {
  const said = await runDeals(['move-in', ...words], owner.env);
  expect(said).toMatchObject({ code: 0, err: '' });
  return said.out;
}

/** Returns the names of tables whose content has changed. */
async function tablesChanged(before: readonly string[]): Promise<string[]> {
  const after = await tableContents(database);
  return after.filter((line) => !before.includes(line)).map((line) => line.split(' ')[0] ?? '');
}

const count = (outcome: string) => async () =>
  (await ask(database.db).value<number>`
    select count(*)::integer from post_move_items where outcome = ${outcome}`) ?? 0;

test('imports 2,000 posts once despite a kill -9, and undoes the import despite another', async () => {
  const { db } = database;
  const { xml, taken } = trappedExport(2_000);
  const file = await write('old.xml', xml);
  await db
    .insertInto('blog_posts')
    .values({ slug: 'post-1', title: 'Mine', content: '<p>Mine</p>', author: 'me', read_time: 1 })
    .execute();
  await ask(db).rows`
    insert into address_redirects (from_path, target, status) values ('/2024/03/post-18', '/deals', 302)`;
  const before = await tableContents(database);

  const rehearsal = await moveIn('posts', file, '--rehearse');
  expect(rehearsal).toContain(`${oldSite}/2024/03/post-1/ -> /blog/post-1-2 (301)`);
  expect(await tablesChanged(before)).toEqual([]);

  await killAfter(['posts', file], count('moved'));
  const half = await count('moved')();
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(taken);
  const posts = () => db.selectFrom('blog_posts').selectAll().orderBy('id').execute();
  const pages = () => db.selectFrom('site_pages').selectAll().execute();
  // The next run completes the first one, reads the file again, and imports nothing twice.
  expect(await moveIn('posts', file)).toContain('Already moved in');
  expect((await posts()).length - 1 + (await pages()).length).toBe(taken);
  expect(await count('moved')()).toBe(taken);
  const moved = (await posts()).filter(({ title }) => title !== 'Mine');
  expect(new Set(moved.map(({ slug }) => slug)).size).toBe(moved.length);
  for (const { content } of moved)
    expect(content).not.toMatch(/<script|javascript:|onclick|onerror|<iframe|\[gallery/);
  expect(moved.find(({ slug }) => slug === 'post-15')?.content).toContain(
    'href="/blog/post-1-2#top"',
  );
  const redirects = await db.selectFrom('address_redirects').selectAll().execute();
  expect(redirects.find(({ from_path: from }) => from === '/2024/03/post-18')?.target).toBe(
    '/deals',
  );
  expect(redirects.find(({ from_path: from }) => from === '/2024/03/post-1')?.target).toBe(
    '/blog/post-1-2',
  );

  const [first] = await ask(db)
    .column<number>`select id from post_moves where state = 'done' order by id`;
  expect(await startUndo(db, first ?? 0, 'cli')).toBe(true);
  const other = await write('other.xml', wordpressExport([{ status: 'trash' }]));
  await killAfter(['posts', other], count('removed'));
  expect(await count('removed')()).toBeLessThan(taken);
  await moveIn('posts', other);
  expect(await count('removed')()).toBe(taken);
  expect(await tablesChanged(before)).toEqual([
    'audit_log',
    'deleted_row_parts',
    'deleted_rows',
    'post_move_items',
    'post_moves',
  ]);
});

const services = () => testServices(database, { SMTP_HOST: '127.0.0.1' });

async function beginNewsletter(): Promise<void> {
  const { db } = database;
  await writeSiteSetting(db, 'postalAddress', '1 Main St', 'test');
  await writeSiteSetting(db, 'newsletterPerHour', 36_000, 'test');
  const saved = await createNewsletter(
    db,
    {
      subject: 'Lamps',
      preview: '',
      content: '<p>Light.</p>',
      audience_since: null,
      audience_confirmed: false,
    },
    { actor: 'ada', origin: 'https://deals.test' },
  );
  const id = saved.ok ? saved.newsletter.id : 0;
  const seen = { actor: 'ada', expectedVersion: 1, until: new Date() };
  expect(await startNewsletter(services(), id, seen)).toMatchObject({ ok: true });
}

/** Sends the newsletter, and returns the recipients in order. */
async function sendNewsletter(): Promise<string[]> {
  await beginNewsletter();
  const smtp = await startSmtpStandIn();
  const { env } = testServices(database, { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) });
  const transport = smtpTransport(env.mail, { connectInMs: 2_000, silenceInMs: 4_000 });
  const limits = {
    leaseSeconds: 10,
    batch: 50,
    atOnce: 5,
    firstPauseSeconds: 0.1,
    longestPauseSeconds: 1,
  };
  const state = async () => {
    await queueNewsletters(services());
    await sendDueMails(services(), { kinds: mails, readSite: readMailSite, transport, limits });
    return (await database.db.selectFrom('newsletters').select('state').executeTakeFirst())?.state;
  };
  await expect.poll(state, { interval: 20 }).toBe('sent');
  await smtp.close();
  return smtp.mails.map(({ to }) => to.toLowerCase()).toSorted();
}

test('imports a list despite a kill -9, and sends nothing to anyone who had unsubscribed', async () => {
  const { db } = database;
  const { csv, open, closed } = trappedList(20_000);
  const file = await write('list.csv', csv);
  await ask(db).rows`
    insert into newsletter_subscriptions (email, is_active, subscribed_at, unsubscribed_at)
    values ('left-here@mail.example', false, now() - interval '9 days', now() - interval '1 day'),
           ('here@mail.example', true, now() - interval '9 days', null),
           ('only-here@mail.example', true, now() - interval '9 days', null)`;
  const before = await tableContents(database);
  const rehearsal = await moveIn('subscribers', file, '--rehearse');
  expect(rehearsal).toContain('No date of consent');
  expect(await tablesChanged(before)).toEqual([]);

  const done = async () =>
    (await ask(db).value<number>`select max(done_line) from subscriber_moves`) ?? 0;
  await killAfter(['subscribers', file], done);
  expect(await done()).toBeLessThan(20_000);
  const total = () => ask(db).value<number>`select count(*)::integer from newsletter_subscriptions`;
  await moveIn('subscribers', file);
  const once = await total();
  await moveIn('subscribers', file);
  expect(await total()).toBe(once);

  const recipients = await sendNewsletter();
  expect(recipients).toEqual([...open, 'only-here@mail.example'].toSorted());
  expect(recipients.filter((to) => closed.includes(to))).toEqual([]);

  const [first] = await ask(db).column<number>`select id from subscriber_moves order by id`;
  expect(await undoSubscriberMove(db, first ?? 0, 'cli')).toBe(true);
  await moveIn('subscribers', await write('none.csv', 'Email,Status\n'));
  const active = await ask(db).column<string>`
    select email from newsletter_subscriptions where unsubscribed_at is null order by email`;
  expect(active).toEqual(['only-here@mail.example']);
});
