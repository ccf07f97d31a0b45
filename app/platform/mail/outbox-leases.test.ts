import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Db } from '#database/connect.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { plainMailKinds, plainMailSite } from '#test/fixtures/plain-mail-kinds.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { retryMails } from './outbox-queries.server.ts';
import { queueMail } from './queue-mail.server.ts';
import { type MailWorker, sendDueMails, unsubscribeHeaders } from './send-due-mails.server.ts';
import type { Delivery, MailTransport, OutgoingMail } from './smtp-transport.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.test';
const taken: Delivery = { outcome: 'sent', words: '250 ok' };

/** Creates a mail server that handles each email as the test specifies. */
const doing = (
  act: (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery>,
): MailTransport => ({ description: 'a test', deliver: act, close() {} });

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const work = (transport: MailTransport | null, more: Partial<MailWorker> & { db?: Db } = {}) => {
    const { db = database.db, ...overrides } = more;
    return sendDueMails(
      { db, env: readEnv({ ORIGIN: origin }), log },
      {
        kinds: plainMailKinds,
        readSite: async () => plainMailSite(origin),
        transport,
        ...overrides,
      },
    );
  };
  return { lines, work };
}

async function queue(...keys: string[]): Promise<void> {
  for (const key of keys) {
    const props = { subject: `About ${key}`, text: 'Hello' };
    await queueMail(database.db, { key, kind: 'plain', to: `${key}@reader.example`, props });
  }
}

const rows = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();

/** Locks these rows, so that every renewal of their lease has to wait. */
async function holdRows(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select id from mail_outbox for update');
  return async () => {
    await holder.query('commit');
    await holder.end();
  };
}

describe('a lease that cannot be renewed', () => {
  test('abandons a lease that cannot be renewed before it expires, aborts the email, and releases the rest without counting an attempt', async () => {
    await queue('a', 'b', 'c');
    const { work } = setUp();
    const begun: string[] = [];
    const transport = doing(async ({ to }, signal) => {
      begun.push(to);
      const letGo = await holdRows();
      if (!signal.aborted) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      }
      await letGo();
      return { outcome: 'later', words: 'stopped', isUncertain: false };
    });
    await work(transport, {
      limits: { leaseSeconds: 1, atOnce: 1, batch: 3, firstPauseSeconds: 3600 },
      signal: stopAfter(() => begun.length > 0),
    });
    expect(begun).toEqual(['a@reader.example']);
    expect(
      (await rows()).map(({ state, attempts, lease_owner }) => [state, attempts, lease_owner]),
    ).toEqual([
      ['queued', 1, null],
      ['queued', 0, null],
      ['queued', 0, null],
    ]);
  });

  /** Stops a worker after the batch in which the condition becomes true. */
  function stopAfter(isTrue: () => boolean): AbortSignal {
    return {
      get aborted() {
        return isTrue();
      },
    } as AbortSignal;
  }
});

describe("the server's response", () => {
  /** Returns a database that fails the first few times that an outcome is stored. */
  function failingToNote(times: number): { db: Db; tries: () => number } {
    let tries = 0;
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        const isNote = JSON.stringify(node).includes('last_error = ');
        if (isNote && ++tries <= times) throw new Error('the connection dropped');
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    return { db: database.db.withPlugin(plugin), tries: () => tries };
  }

  test('stores the server’s response despite a short failure of the database, since a lost "250" would send a second email', async () => {
    await queue('a');
    const { db, tries } = failingToNote(2);
    const { work } = setUp();
    let sent = 0;
    const transport = doing(async () => {
      sent += 1;
      return taken;
    });
    expect(await work(transport, { db })).toBe(1);
    expect([sent, tries()]).toEqual([1, 3]);
    expect(await rows()).toMatchObject([{ state: 'sent', reply: '250 ok', lease_owner: null }]);
  });

  test("logs the server's response without the address, the content of the email or the token in its link", async () => {
    await queue('ada.lovelace');
    const { lines, work } = setUp();
    await work(doing(async () => taken));
    expect(lines).toMatchObject([{ msg: 'mail', kind: 'plain', outcome: 'sent' }]);
    expect(JSON.stringify(lines)).not.toContain('ada.lovelace');
    expect(JSON.stringify(lines)).not.toContain('About');
  });
});

describe('an email that cannot be rendered', () => {
  test('retries an email that cannot be rendered, does not block others, and shows the reason in the outbox', async () => {
    await queueMail(database.db, { key: 'bad', kind: 'broken', to: 'a@reader.example', props: {} });
    await queue('good');
    const { lines, work } = setUp();
    const sent: string[] = [];
    const broken = { isAboutAccount: true, write: () => Promise.reject(new Error('no such deal')) };
    await work(
      doing(async ({ to }) => {
        sent.push(to);
        return taken;
      }),
      { kinds: { ...plainMailKinds, broken } },
    );
    expect(sent).toEqual(['good@reader.example']);
    expect(await rows()).toMatchObject([
      { key: 'bad', state: 'queued', attempts: 1, last_error: 'no such deal' },
      { key: 'good', state: 'sent' },
    ]);
    expect(lines.find(({ msg }) => msg === 'a mail could not be written')).toBeDefined();
  });

  test('marks an email as permanently failed if its address has become invalid', async () => {
    await queue('a');
    await database.db.updateTable('mail_outbox').set({ recipient: 'a@b@c' }).execute();
    const { work } = setUp();
    let sent = 0;
    const transport = doing(async () => {
      sent += 1;
      return taken;
    });
    await work(transport);
    expect(sent).toBe(0);
    expect(await rows()).toMatchObject([
      { state: 'failed', last_error: 'not one plain email address' },
    ]);
  });

  test("returns all emails unchanged if the site's own settings are missing", async () => {
    await queue('a', 'b');
    const { work } = setUp();
    const readSite = () => Promise.reject(new Error('no settings'));
    await expect(
      work(
        doing(async () => taken),
        { readSite },
      ),
    ).rejects.toThrow('no settings');
    expect((await rows()).map(({ attempts, lease_owner }) => [attempts, lease_owner])).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});

describe('the order', () => {
  test('sends urgent emails in order of age, however many are claimed at once', async () => {
    await queue('first', 'second', 'third');
    const { work } = setUp();
    const sent: string[] = [];
    const limits = { batch: 2, atOnce: 1 };
    const transport = doing(async ({ to }) => {
      sent.push(to.split('@')[0] ?? '');
      return taken;
    });
    expect(await work(transport, { limits })).toBe(3);
    expect(sent).toEqual(['first', 'second', 'third']);
  });

  test('limits the number of simultaneous emails', async () => {
    await queue('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const { work } = setUp();
    let [now, most] = [0, 0];
    const transport = doing(async () => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now -= 1;
      return taken;
    });
    await work(transport, { limits: { atOnce: 3 } });
    expect(most).toBe(3);
  });

  test('leaves emails unclaimed if the worker is stopped before it begins', async () => {
    await queue('a');
    const { work } = setUp();
    expect(
      await work(
        doing(async () => taken),
        { signal: AbortSignal.abort() },
      ),
    ).toBe(0);
    expect(await rows()).toMatchObject([{ attempts: 0, lease_owner: null }]);
  });
});

describe('a manual retry', () => {
  test('requeues failed and unsent emails, but never sent or cancelled ones or those in progress', async () => {
    await queue('queued', 'sent', 'failed', 'cancelled', 'kept', 'leased');
    const { db } = database;
    for (const state of ['sent', 'failed', 'cancelled', 'kept'] as const) {
      await db.updateTable('mail_outbox').set({ state }).where('key', '=', state).execute();
    }
    await db
      .updateTable('mail_outbox')
      .set({ lease_owner: 'somebody' })
      .where('key', '=', 'leased')
      .execute();
    await sql`update mail_outbox set due_at = now() + interval '1 hour',
              trying_since = now() - interval '50 hours'`.execute(db);
    expect(await retryMails(db, null)).toBe(3);
    const dueNow = await db
      .selectFrom('mail_outbox')
      .select('key')
      .where('due_at', '<=', sql<Date>`now()`)
      .where('state', '=', 'queued')
      .orderBy('id')
      .execute();
    expect(dueNow.map(({ key }) => key)).toEqual(['queued', 'failed', 'kept']);
    // The email has 48 hours again, so the next failure does not end it immediately.
    const { work } = setUp();
    const later: Delivery = { outcome: 'later', words: '451', isUncertain: false };
    await work(doing(async () => later));
    const failed = (await rows()).filter(({ state }) => state === 'failed');
    expect(failed).toEqual([]);
  });

  test('requeues only one email if one is named', async () => {
    await queue('a', 'b');
    await database.db.updateTable('mail_outbox').set({ state: 'failed' }).execute();
    const [first] = await rows();
    expect(await retryMails(database.db, first?.id ?? 0)).toBe(1);
    expect(await retryMails(database.db, 99_999)).toBe(0);
    expect((await rows()).map(({ state }) => state)).toEqual(['queued', 'failed']);
  });
});

test('deletes old emails, but never any that still wait', async () => {
  await queue('old-sent', 'old-queued', 'new-sent');
  const { db } = database;
  await db
    .updateTable('mail_outbox')
    .set({ state: 'sent' })
    .where('key', 'like', '%sent')
    .execute();
  await sql`update mail_outbox set created_at = now() - interval '91 days' where key like 'old%'`.execute(
    db,
  );
  await forgetOldRows(db, 'forget-old-mails');
  expect((await rows()).map(({ key }) => key)).toEqual(['old-queued', 'new-sent']);
});

test('RFC 8058: offers one-click unsubscribing on https sites, and the plain link otherwise', () => {
  const link = { unsubscribePath: '/unsubscribe/one-click?token=a' };
  expect(unsubscribeHeaders(link, { origin: 'https://deals.test' })).toEqual({
    'List-Unsubscribe': '<https://deals.test/unsubscribe/one-click?token=a>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(unsubscribeHeaders(link, { origin: 'http://localhost:3000' })).toEqual({
    'List-Unsubscribe': '<http://localhost:3000/unsubscribe/one-click?token=a>',
  });
  expect(unsubscribeHeaders({ unsubscribePath: null }, { origin: 'https://deals.test' })).toEqual(
    {},
  );
});
