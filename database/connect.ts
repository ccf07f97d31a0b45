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
  /** Ends every connection at once, also those at work: the line they came over is dead (R62). */
  drop(): void;
  close(): Promise<void>;
}

// Our ids and counts stay far below 2^53, so a bigint is a number; a date stays the text it is.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A dead peer that owes us nothing is noticed after fifteen seconds: Node asks ten times more, once a second. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

const goodbyeInMs = 2_000;
/** On the connection itself: the bundle and the server have each their own modules, and hand connections to one another. */
const lineOf = Symbol.for('deal-hub.line');

interface Lined {
  [lineOf]?: {
    /** Past every pooler. */
    url: string;
    sessions: Db | null;
  };
}

function readLine(db: Db & Lined) {
  return db[lineOf];
}

/**
 * Where a connection stays one's own from one transaction to the next, for locks and tables of a session: the
 * database itself, unless it is reached through a pooler (decision 027).
 */
export function sessionsOf(db: Db): Db {
  return readLine(db)?.sessions ?? db;
}

/** Another pool of the same server with limits of its own, past every pooler; of another `database` where one is named. */
export function connectAgain(
  db: Db,
  { database, ...options }: Parameters<typeof connect>[1] & { database?: string },
): Connection {
  const url = new URL(readLine(db)?.url ?? '');
  if (database !== undefined) url.pathname = `/${database}`;
  return connect(url.href, options);
}

/**
 * Opens a pool. `onError` hears of connections that drop, idle or in use; without a listener the process would die
 * with them (R35). Timeouts are milliseconds (R21, R35). A connection that does not answer in time is ended, and idle
 * ones with it (R62). `directUrl` says that `url` is a pooler, which may hand each transaction to another connection
 * of the server, and leads past it.
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
  // The pool listens to idle connections only, and passes on what each has told already.
  pool.on('connect', (client) => {
    all.add(client);
    client.on('error', (error) => options.onError?.(error));
    watchQueries(client, directUrl === null, (error) => {
      if (!isOfDeadLine(error)) return;
      // The idle ones lead to the same server; those at work have a time of their own.
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
      // A dead peer never answers our goodbye.
      setTimeout(() => all.forEach(cut), goodbyeInMs).unref();
      await db.destroy();
      if (!pool.ending) await pool.end(); // Kysely leaves a pool alone that it never used itself
      await direct?.close();
    },
  };
}

/** Without the goodbye of `end`: a dead peer would never answer it. */
export function cut(client: pg.Client): void {
  noteEnded(client);
  client.connection.stream.destroy();
}

/** It went silent, or leads to a server that has become a standby. */
function isOfDeadLine(error: unknown): boolean {
  return (
    (error instanceof Error && error.message === 'Query read timeout') ||
    errorCode(error) === '25006'
  );
}

/** Hears of each failure before whoever asked does. `pool.query` ends its client after any failure by itself. */
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
      // Whoever asks again at once would get a connection that is cut and has not left the pool yet.
      await new Promise(setImmediate);
      throw error;
    });
  };
  client.query = ask as pg.PoolClient['query'];
}
