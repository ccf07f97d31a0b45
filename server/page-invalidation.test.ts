import { createServer, connect as connectSocket, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { listenForPageChanges, type PageInvalidation } from '#server/page-invalidation.ts';

const database = useTestDatabase();
let news: PageInvalidation | undefined;
afterEach(() => news?.stop());

function listen(url = database.url) {
  const heard: string[] = [];
  const listener = {
    invalidate: (tags: readonly string[]) => void heard.push(tags.join(' ')),
    trust: (isTrusted: boolean) => void heard.push(isTrusted ? 'trusted' : 'distrusted'),
  };
  news = listenForPageChanges(url, [listener], createLog('silent'));
  return heard;
}

it('invalidates everything at startup, and then the tags of committed changes', async () => {
  const heard = listen();
  await expect.poll(() => heard).toEqual(['distrusted', 'all', 'trusted']);
  await sql`select pg_notify('pages', 'deals deal:7')`.execute(database.db);
  await expect.poll(() => heard.at(-1)).toBe('deals deal:7');
});

it('invalidates everything when a cut connection is restored', async () => {
  const heard = listen();
  await expect.poll(() => heard.at(-1)).toBe('trusted');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'deal-hub pages' and datname = current_database()`.execute(
    database.db,
  );
  await expect.poll(() => heard.slice(3)).toEqual(['distrusted', 'all', 'trusted']);
});

it('invalidates everything if a notification has no tags', async () => {
  const heard = listen();
  await expect.poll(() => heard.at(-1)).toBe('trusted');
  await sql`notify pages`.execute(database.db);
  await expect.poll(() => heard.slice(3)).toEqual(['all']);
});

// Proves R62: silent and read-only databases, and pages that a change made old (database/connect.ts)
it('R62: reports whether older pages may be shown as stale after a change', async () => {
  const heard: [string, boolean][] = [];
  const listener = {
    invalidate: (tags: readonly string[], mayBeStale: boolean) =>
      void heard.push([tags.join(' '), mayBeStale]),
    trust: () => {},
  };
  news = listenForPageChanges(database.url, [listener], createLog('silent'));
  await expect.poll(() => heard).toEqual([['all', false]]);
  await sql`select pg_notify('pages', 'old deals deal:7'), pg_notify('pages', 'deals deal:8'), pg_notify('pages', '')`.execute(
    database.db,
  );
  await expect
    .poll(() => heard.slice(1))
    .toEqual([
      ['deals deal:7', true],
      ['deals deal:8', false],
      ['all', false],
    ]);
});

it('notifies all listeners through one connection', async () => {
  const first: string[] = [];
  const second: string[] = [];
  const listener = (heard: string[]) => ({
    invalidate: (tags: readonly string[]) => void heard.push(tags.join(' ')),
    trust: () => {},
  });
  news = listenForPageChanges(
    database.url,
    [listener(first), listener(second)],
    createLog('silent'),
  );
  await expect.poll(() => second).toEqual(['all']);
  await sql`select pg_notify('pages', 'blog')`.execute(database.db);
  await expect.poll(() => second).toEqual(['all', 'blog']);
  expect(first).toEqual(second);
  const { rows } = await sql<{ lines: number }>`
    select count(*)::int as lines from pg_stat_activity
     where application_name = 'deal-hub pages' and datname = current_database()`.execute(
    database.db,
  );
  expect(rows).toEqual([{ lines: 1 }]);
});

it('receives nothing after it is stopped, and leaves no connection open', async () => {
  const heard = listen();
  await expect.poll(() => heard.at(-1)).toBe('trusted');
  await news?.stop();
  await sql`select pg_notify('pages', 'deals')`.execute(database.db);
  await expect
    .poll(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where application_name = 'deal-hub pages' and datname = current_database()`.execute(
        database.db,
      );
      return rows.length;
    })
    .toBe(0);
  expect(heard).toEqual(['distrusted', 'all', 'trusted']);
});

/** Opens a connection to the database through a relay that can be closed and opened. */
async function startGate() {
  const { hostname, port } = new URL(database.url);
  const sockets = new Set<Socket>();
  let isShut = false;
  const gate: Server = createServer((inside) => {
    if (isShut) return void inside.destroy();
    const outside = connectSocket(Number(port || 5432), hostname);
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const url = new URL(database.url);
  const address = gate.address();
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : 0);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    shut() {
      isShut = true;
      cut();
    },
    open() {
      isShut = false;
    },
    close() {
      cut();
      gate.close();
    },
  };
}

it('R35: retries while the database is unreachable, and invalidates everything once it is back', async () => {
  const gate = await startGate();
  gate.shut();
  const heard = listen(gate.url);
  await expect.poll(() => heard.filter((one) => one === 'distrusted').length).toBeGreaterThan(2);
  expect(heard).not.toContain('all');
  expect(heard).not.toContain('trusted');
  // This change is announced while nothing listens.
  await sql`select pg_notify('pages', 'deals deal:7')`.execute(database.db);
  gate.open();
  await expect.poll(() => heard.slice(-2)).toEqual(['all', 'trusted']);
  await sql`select pg_notify('pages', 'deal:8')`.execute(database.db);
  await expect.poll(() => heard.at(-1)).toBe('deal:8');
  await news?.stop();
  gate.close();
});
