import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '#database/schema.ts';

/** The database or a transaction: the first argument of every query. */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

// Our ids and counts stay far below 2^53, so a bigint is a number; a date stays the text it is.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * Opens a pool. `onError` hears of connections that drop, idle or in use; without a listener the
 * process would die with them (R35). Timeouts are milliseconds (R21, R35).
 */
export function connect(
  url: string,
  options: {
    maxConnections?: number;
    onError?: (error: Error) => void;
    statementTimeout?: number;
  } = {},
): Connection {
  const statementTimeout = options.statementTimeout ?? 5_000;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 2_500,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout === 0 ? 0 : statementTimeout + 1_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'deal-hub',
  });
  // The pool listens to idle connections only, and passes on what each has told already.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  pool.on('error', () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    async close() {
      await db.destroy();
      if (!pool.ending) await pool.end(); // Kysely leaves a pool alone that it never used itself
    },
  };
}
