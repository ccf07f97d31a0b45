import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { connect } from '#database/connect.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { abortServer } from '#database/embedded/server-process.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { hostsOf, readSeveralHosts } from '#database/primary-client.ts';
import { listenForPageChanges } from '#server/page-invalidation.ts';
import { asSuperuser } from '#test/as-superuser.ts';
import { startStandby } from '#test/standby.ts';

it.each([
  ['postgres://u:p@one:5432,two:5433/shop', ['one:5432', 'two:5433']],
  ['postgres://u:p@one,two,three/shop?target_session_attrs=read-write', ['one', 'two', 'three']],
  ['postgres://[::1]:5432,two/shop?sslmode=require', ['[::1]:5432', 'two']],
  ['postgres://u:a%2Cb@one/shop', ['one']],
  ['postgres://one/a,b', ['one']],
])('reads the hosts of %s', (address, hosts) => {
  const url = new URL(readSeveralHosts(address));
  expect(hostsOf(url)).toEqual(hosts);
  expect(url.searchParams.has('target_session_attrs')).toBe(false);
  expect(readSeveralHosts(url.href)).toBe(url.href);
});

it('returns an address with a single host unchanged', () => {
  const address = 'postgres://u:p@one/shop?target_session_attrs=any';
  expect(readSeveralHosts(address)).toBe(address);
});

/**
 * Retries until `ask` succeeds. Each failure until then must be recognized as a database outage.
 */
async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await wait(50);
    }
  }
}

it('finds the primary among several hosts after a failover, and receives its notifications', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-hosts-'));
  const dataDir = path.join(folder, 'primary');
  const primary = asSuperuser(await startEmbeddedPostgres({ dataDir, isThrowaway: true }));
  const standby = await startStandby(primary, folder);
  const one = new URL(primary.url);
  const both = primary.url.replace(one.host, `${new URL(standby.url).host},${one.host}`);
  const url = readEnv({ DATABASE_URL: both }).databaseUrl ?? '';
  const site = connect(url, { onError: () => {} });
  const heard: string[] = [];
  const listener = {
    invalidate: (tags: readonly string[]) => heard.push(...tags),
    trust: () => {},
  };
  const news = listenForPageChanges(url, [listener], createLog('silent'));
  const write = (tag: string) => sql`select pg_notify('pages', ${tag})`.execute(site.db);
  try {
    await persist(() => sql`create table written (by text)`.execute(site.db));
    await expect.poll(() => heard).toContain('all');
    await write('first');
    await expect.poll(() => heard).toContain('first');
    await abortServer(primary.dataDir, primary.pid);
    heard.length = 0;
    await standby.promote();
    await persist(() => sql`create table written_later (by text)`.execute(site.db));
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('all');
    await write('second');
    await expect.poll(() => heard).toContain('second');
    await standby.kill();
    await expect(site.pool.query('select 1')).rejects.toSatisfy(isDatabaseUnavailable);
  } finally {
    await news.stop();
    await site.close();
    await standby.kill();
    await primary.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
