import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { freePort } from '#test/free-port.ts';
import { runDeals, type Said, useOwner } from '#test/run-deals.ts';
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
    ask: (path: string) => fetch(`http://localhost:${port}${path}`),
    stop(): Promise<Said> {
      started.child?.kill('SIGTERM');
      return said;
    },
  };
}

const hasJobs = async () => {
  const { rows } = await sql<{ has: boolean }>`
    select to_regclass('jobs.job') is not null as has`.execute(database.db);
  return rows[0]?.has;
};

it('a process for visitors runs no job, and one for jobs answers no visitor', async () => {
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
  expect(await hasJobs()).toBe(true);
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

it('a role that is none is refused before anything starts', async () => {
  const said = await runDeals(['start', '--role', 'both'], owner.env);
  expect(said.code).toBe(1);
  expect(said.err).toContain('ROLE is "both"');
});
