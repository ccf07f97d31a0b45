import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { storeFeedFile } from '#app/features/feeds/sources/feed-files.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import { freePort } from '#test/free-port.ts';
import { runDeals, type Said, useOwner } from '#test/run-deals.ts';
import { thingsFeed } from '#test/things-feed.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';

const database = useTestDatabase();
const owner = useOwner(database);

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function startAs(role: 'web' | 'worker', smtpPort: number) {
  const port = await freePort();
  const env = {
    ...owner.env,
    ORIGIN: `http://localhost:${port}`,
    SEED: 'none',
    OVERLOAD_DELAY_MS: '0',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtpPort),
  };
  const started: { child?: ChildProcess } = {};
  const said = runDeals(['start', '--role', role, '--port', String(port)], env, {
    onStart: (child) => (started.child = child),
  });
  closings.push(async () => {
    started.child?.kill('SIGKILL');
    await said;
  });
  for await (const line of createInterface({ input: started.child!.stdout! })) {
    if (line.includes('Deal Hub is running')) break;
  }
  started.child!.stdout!.resume();
  return {
    pid: started.child!.pid ?? 0,
    ask: (path: string) => fetch(`http://localhost:${port}${path}`),
    stop(): Promise<Said> {
      started.child?.kill('SIGTERM');
      return said;
    },
  };
}

const hasJobs = async () => {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from job_runs) as has`.execute(database.db);
  return rows[0]?.has;
};

it('does not run jobs in a web process, or serve visitors in a worker', async () => {
  const smtp = await startSmtpStandIn();
  closings.push(() => smtp.close());
  const arrived = new Promise<void>((resolve) => smtp.onMail(resolve));
  await queueMail(database.db, {
    key: 'role',
    kind: 'test',
    to: 'ada@mail.example',
    props: { askedAt: '2026-05-01T10:00:00Z' },
  });
  const web = await startAs('web', smtp.port);
  expect((await web.ask('/deals')).status).toBe(200);
  expect(await hasJobs()).toBe(false);
  expect(smtp.mails).toEqual([]);

  const worker = await startAs('worker', smtp.port);
  await arrived;
  expect(smtp.mails.map(({ to }) => to)).toEqual(['ada@mail.example']);
  await expect.poll(hasJobs).toBe(true);
  for (const path of ['/health/live', '/health/ready']) {
    expect([path, (await worker.ask(path)).status]).toEqual([path, 200]);
  }
  for (const path of ['/', '/deals', '/media/x.webp', '/favicon.ico', '/api/v1/deals']) {
    expect([path, (await worker.ask(path)).status]).toEqual([path, 404]);
  }
  const [ended, over] = [await worker.stop(), await web.stop()];
  expect([ended.code, over.code]).toEqual([0, 0]);
  expect(ended.out).toContain('jobs only');
  expect(over.out).toContain('ROLE=worker');
});

it('records a killed feed process in its run, and imports the rest in the next run, without affecting visitors', async () => {
  const site = await startAs('worker', 1);
  const { sourceId, file } = await keepFeed();
  const queue = () => queueImport(database.db, { sourceId, file, actor: 'ada@mail.example' });
  const first = (await queue()) ?? 0;
  await expect
    .poll(async () => (await readRun(first)).rows_done, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const [reader] = childrenOf(site.pid, 'run-imports');
  process.kill(reader ?? 0, 'SIGKILL');

  await expect.poll(async () => (await readRun(first)).state, { timeout: 60_000 }).toBe('failed');
  expect((await readRun(first)).error).toBe(
    'the process that read this feed was killed; the batches already written are kept',
  );
  expect((await site.ask('/health/live')).status).toBe(200);
  const second = (await queue()) ?? 0;
  await expect.poll(async () => (await readRun(second)).state, { timeout: 60_000 }).toBe('done');
  expect((await readRun(second)).rows_unchanged).toBe((await readRun(first)).rows_new);
  expect((await readRun(second)).rows_read).toBe(products);
  expect((await site.stop()).code).toBe(0);
});

const products = 4_000;

/** Creates a source with a stored feed, as an upload does. */
async function keepFeed() {
  const body = Readable.from([Buffer.from(thingsFeed(products))]);
  const path = await storeFeedFile(owner.folder, body);
  const merchant = await insertMerchant(database.db, { name: 'Example Shop' });
  const { id } = await insertFeedSource(database.db, { merchant_id: merchant.id });
  return { sourceId: id, file: { path, name: 'things.csv' } };
}

const readRun = (id: number) =>
  database.db.selectFrom('import_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Returns the ids of a process's children whose command line contains this word. */
function childrenOf(pid: number, word: string): number[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return ids
    .map(Number)
    .filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word));
}

it('rejects an unknown role before anything starts', async () => {
  const said = await runDeals(['start', '--role', 'both'], owner.env);
  expect(said.code).toBe(1);
  expect(said.err).toContain('ROLE is "both"');
});
