import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { findDue, type Job, type RunningJobs, startJobs } from '#app/platform/run-jobs.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { connect } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
const running: RunningJobs[] = [];
afterEach(async () => {
  for (const jobs of running.splice(0)) await jobs.stop(1);
});

const lines: Record<string, unknown>[] = [];
const heard = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
afterEach(() => void lines.splice(0));

const services = (): AppServices => ({
  db: database.db,
  env: readEnv({}),
  log: heard,
  now: () => new Date(),
});

async function start(jobs: Job[]): Promise<void> {
  running.push(await startJobs(database.url, jobs, services(), null, 0.001));
}

describe('a job that runs when it is due', () => {
  const repeated = (run: Job['run']): Job => ({ name: 'send', isDue: () => sql`true`, run });

  it('retries a failed job, and logs each failure', async () => {
    let runs = 0;
    const thrice = Promise.withResolvers<void>();
    await start([
      repeated(async () => {
        runs += 1;
        if (runs >= 3) return thrice.resolve();
        throw new Error(`trouble ${runs}`);
      }),
    ]);
    await thrice.promise;
    expect(lines).toMatchObject([
      { msg: 'job failed', job: 'send', err: { message: 'trouble 1' } },
      { msg: 'job failed', job: 'send', err: { message: 'trouble 2' } },
    ]);
  });

  it('never runs a job twice at once in one process', async () => {
    let [now, most, runs] = [0, 0, 0];
    const enough = Promise.withResolvers<void>();
    await start([
      repeated(async () => {
        most = Math.max(most, ++now);
        await sql`select 1`.execute(database.db);
        now -= 1;
        if (++runs === 20) enough.resolve();
      }),
    ]);
    await enough.promise;
    expect(most).toBe(1);
  });

  const isDue = (name: string, condition: string): Job => ({
    name,
    isDue: () => sql.raw(condition),
    run: async () => void ran.push(name),
  });
  const ran: string[] = [];
  beforeEach(() => void ran.splice(0));

  it('runs a job whose condition fails, logs the job’s name, and does not delay other jobs', async () => {
    await start([
      isDue('broken', 'exists (select from no_such_table)'),
      isDue('due', 'true'),
      isDue('not due', 'null'),
    ]);
    await expect.poll(() => ran).toContain('due');
    await running.pop()?.stop(1);
    expect([...new Set(ran)]).toEqual(['broken', 'due']);
    const logged = { job: 'broken', msg: 'the condition of a job could not be checked' };
    expect(lines[0]).toMatchObject(logged);
    expect(new Set(lines.map(({ job }) => job))).toEqual(new Set(['broken']));
  });

  it('neither runs nor checks a job while the database is unreachable', async () => {
    const lost = connect('postgres://nobody:x@127.0.0.1:1/none');
    const jobs = [isDue('one', 'true'), isDue('other', 'true')].filter((job) => 'isDue' in job);
    expect(await findDue(jobs, { ...services(), db: lost.db })).toEqual([]);
    await lost.close();
    expect(lines).toMatchObject([{ msg: 'due jobs could not be found' }]);
  });
});

describe('R38: stopping', () => {
  it('R38: signals a running job when the process stops, waits for it and does not start others', async () => {
    const events: string[] = [];
    const begun = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    await start([
      {
        name: 'send',
        isDue: () => sql`true`,
        async run(_services, signal) {
          events.push('begun');
          signal.addEventListener('abort', () => told.resolve());
          begun.resolve();
          await told.promise;
          await sql`select 1`.execute(database.db); // The job's last statement.
          events.push('finished');
        },
      },
    ]);
    await begun.promise;
    await running.pop()?.stop(10);
    events.push('stopped');
    expect(events).toEqual(['begun', 'finished', 'stopped']);
  });

  it('R38: does not wait for a job that never ends', async () => {
    const begun = Promise.withResolvers<void>();
    await start([
      {
        name: 'stuck',
        isDue: () => sql`true`,
        run: () => {
          begun.resolve();
          return new Promise(() => {});
        },
      },
    ]);
    await begun.promise;
    await running.pop()?.stop(0.05);
    const left = async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%jobs.%'`.execute(
        database.db,
      );
      return rows.length;
    };
    await expect.poll(left).toBe(0);
  });
});

it('logs a failed scheduled job once and stores it as failed, with its message', async () => {
  const words = 'no postgres://ada:secret@shop.example/shelf';
  await start([
    { name: 'break', schedule: 'every minute', run: () => Promise.reject(new Error(words)) },
  ]);
  const errors = () => database.db.selectFrom('job_runs').select('error').execute();
  await expect.poll(errors).toEqual([{ error: 'no postgres://[removed]@shop.example/shelf' }]);
  expect(lines.filter(({ msg }) => msg === 'job failed')).toMatchObject([{ job: 'break' }]);
});

it('limits a job’s statements to a minute, on connections that pages do not use', async () => {
  const found = Promise.withResolvers<unknown[]>();
  await start([
    {
      name: 'look',
      isDue: () => sql`true`,
      async run({ db }) {
        const { rows } = await sql<{ timeout: string }>`
          select current_setting('statement_timeout') as timeout`.execute(db);
        found.resolve([rows[0]?.timeout, db === database.db]);
      },
    },
  ]);
  expect(await found.promise).toEqual(['1min', false]);
});

it('R35: stops startup with its own message if the database is unreachable', async () => {
  const job: Job = { name: 'tidy', schedule: 'daily at 03:00', run: async () => {} };
  await expect(
    startJobs('postgres://nobody:x@127.0.0.1:1/none', [job], services()),
  ).rejects.toThrow('ECONNREFUSED');
});
