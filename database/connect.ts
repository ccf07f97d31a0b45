import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { noteEnded } from '#database/ended-sessions.ts';
import { errorCode } from '#database/error-code.ts';
import { keepPlans } from '#database/keep-plans.ts';
import { PrimaryClient } from '#database/primary-client.ts';
import { pooledDialect } from '#database/pooled-dialect.ts';
import type { Database } from '#database/schema.ts';

/** The database or a transaction: the first argument of every query. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /**
   * Closes every connection at once, even active ones, because their network connection is dead.
   */
  drop(): void;
  close(): Promise<void>;
}

// A bigint is parsed as a number, since our ids and counts are far below 2^53. A date remains a
// string.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * TCP keep-alive. A dead peer is detected after fifteen seconds if no data is pending: Node sends
 * ten more probes, one per second.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

const goodbyeInMs = 2_000;
/**
 * The key of data attached to the connection itself. The bundle and the server have separate copies
 * of this module, but share connections.
 */
const lineOf = Symbol.for('deal-hub.line');

interface Lined {
  [lineOf]?: {
    /** The URL that bypasses the pooler. */
    url: string;
    sessions: Db | null;
  };
}

function readLine(db: Db & Lined) {
  return db[lineOf];
}

/**
 * Returns a database for session locks and temporary tables, which need one connection across
 * transactions. The result is `db` itself unless `db` uses a pooler.
 */
export function sessionsOf(db: Db): Db {
  return readLine(db)?.sessions ?? db;
}

/**
 * Opens another pool to the same server, with separate limits and without a pooler. `database`
 * selects another database.
 */
export function connectAgain(
  db: Db,
  { database, ...options }: Parameters<typeof connect>[1] & { database?: string },
): Connection {
  const url = new URL(readLine(db)?.url ?? '');
  if (database !== undefined) url.pathname = `/${database}`;
  return connect(url.href, options);
}

/**
 * Opens a pool. `onError` is called when an idle or active connection drops. Without a listener,
 * the process would exit. Timeouts are in milliseconds. If a connection does not respond in time,
 * it and all idle connections are closed. If `url` is a pooler, which may use another server
 * connection for each transaction, `directUrl` is the URL without the pooler.
 */
export function connect(
  url: string,
  options: {
    maxConnections?: number;
    onError?: (error: Error) => void;
    statementTimeout?: number;
    directUrl?: string | null;
  } = {},
): Connection {
  const { directUrl = null, statementTimeout = 5_000 } = options;
  const limits = {
    statement_timeout: statementTimeout,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 30_000,
  };
  const pool = new pg.Pool({
    connectionString: url,
    Client: PrimaryClient,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 2_500,
    idleTimeoutMillis: 30_000,
    query_timeout: statementTimeout === 0 ? 0 : statementTimeout + 1_000,
    ...(directUrl === null ? limits : {}),
    ...keepAlive,
    application_name: 'deal-hub',
  });
  const all = new Set<pg.PoolClient>();
  const idle = new Set<pg.PoolClient>();
  // The pool listens to idle connections only, and repeats errors that connections have already
  // reported.
  pool.on('connect', (client) => {
    all.add(client);
    client.on('error', (error) => options.onError?.(error));
    watchQueries(client, directUrl === null, (error) => {
      if (!isConnectionLost(error)) return;
      // Idle connections go to the same server, and active ones have their own timeout.
      client.end(() => {});
      idle.forEach(cut);
    });
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => {
    noteEnded(client);
    all.delete(client);
    idle.delete(client);
  });
  pool.on('error', () => {});
  const dialect =
    directUrl === null ? new PostgresDialect({ pool }) : pooledDialect({ pool }, limits);
  const direct =
    directUrl === null
      ? null
      : connect(directUrl, { ...options, directUrl: null, maxConnections: 2 });
  const line = { url: directUrl ?? url, sessions: direct?.db ?? null };
  const db: Db & Lined = Object.assign(new Kysely<Database>({ dialect }), { [lineOf]: line });
  return {
    db,
    pool,
    drop() {
      all.forEach(cut);
      direct?.drop();
    },
    async close() {
      // Connections are cut after a while, since a dead peer never responds to a clean close.
      setTimeout(() => all.forEach(cut), goodbyeInMs).unref();
      await db.destroy();
      if (!pool.ending) await pool.end(); // Kysely does not close a pool that it never used.
      await direct?.close();
    },
  };
}

/** Closes a connection without the clean close of `end`, which needs a response from the peer. */
export function cut(client: pg.Client): void {
  noteEnded(client);
  client.connection.stream.destroy();
}

/** Returns whether the connection stopped responding, or its server has become a standby. */
function isConnectionLost(error: unknown): boolean {
  return (
    (error instanceof Error && error.message === 'Query read timeout') ||
    errorCode(error) === '25006'
  );
}

/**
 * Calls `onFailure` with each failure before the caller sees it. `pool.query` closes its client
 * after any failure anyway.
 */
function watchQueries(
  client: pg.PoolClient,
  keepsPlans: boolean,
  hear: (error: unknown) => void,
): void {
  const plain = client.query.bind(client) as (...given: unknown[]) => unknown;
  const query = keepsPlans ? keepPlans(plain) : plain;
  const ask = (...given: unknown[]) => {
    const asked = query(...given);
    if (!(asked instanceof Promise)) return asked;
    return asked.catch(async (error: unknown) => {
      hear(error);
      // An immediate retry would get a closed connection that the pool has not removed yet.
      await new Promise(setImmediate);
      throw error;
    });
  };
  client.query = ask as pg.PoolClient['query'];
}
