import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import { connect, type Connection, cut } from '#database/connect.ts';
import { hostsOf, PrimaryClient } from '#database/primary-client.ts';
import {
  inspectData,
  startEmbeddedPostgres,
  type Tell,
} from '#database/embedded/embedded-postgres.ts';
import { explainFullDisk } from '#server/explain-full-disk.ts';

export interface OpenDatabase extends Connection {
  /** The URL for connections that need a session: DATABASE_URL_DIRECT, if it is set. */
  url: string;
  /**
   * A description for logs and messages, without a password: `embedded (./data)` or
   * `db.example:5432/deals`.
   */
  description: string;
  /**
   * Returns `false` if the private database has died; the next start recovers it. Always `true` for
   * an external server.
   */
  isSound: () => boolean;
  /** Closes the pool. The embedded server shuts down when no other process uses it. */
  stop(): Promise<void>;
}

/** Returns false if opening the database would create a new one. */
export function hasDatabase({
  databaseUrl,
  dataDir,
}: Pick<Env, 'databaseUrl' | 'dataDir'>): boolean {
  return databaseUrl !== null || inspectData(dataDir) !== null;
}

/**
 * Opens the database at DATABASE_URL, or the private one in DATA_DIR, which is started if it is not
 * running yet. With `mayMove`, first upgrades the private one to this release's PostgreSQL. With
 * DATABASE_URL_DIRECT, only `forPages` connections use DATABASE_URL.
 */
export async function openDatabase(
  env: Env,
  log: Log,
  {
    mayMove = false,
    ...options
  }: { statementTimeout?: number; forPages?: boolean; mayMove?: boolean } = {},
): Promise<OpenDatabase> {
  const tell: Tell = (line, urgency) => log[urgency ? 'warn' : 'info'](line);
  const embedded =
    env.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: env.dataDir, log: tell, mayMove }).catch(
          async (error: unknown) => {
            throw await explainFullDisk(error, env);
          },
        )
      : null;
  const url = embedded?.url ?? env.databaseUrlDirect ?? env.databaseUrl ?? '';
  const isPooled = (options.forPages ?? false) && env.databaseUrlDirect !== null;
  const connection = connect(isPooled ? (env.databaseUrl ?? '') : url, {
    ...options,
    directUrl: isPooled ? url : null,
    maxConnections: env.databasePool,
    onError: (error) => log.warn({ err: error }, 'a database connection dropped'),
  });
  return {
    ...connection,
    url,
    isSound: () => embedded === null || embedded.isSound(),
    description: embedded ? `embedded (${shown(env.dataDir)})` : withoutCredentials(url),
    async stop() {
      await connection.close();
      await embedded?.stop();
    },
  };
}

const probeTimeoutMs = 2_000;

/**
 * Tests LISTEN and NOTIFY before the site relies on them. Behind a transaction pooler, they do not
 * work, statement limits are lost, and locks outlive their owners. Throws `DeafDatabase`, which
 * names the setting to change.
 */
export async function refuseDeafDatabase({ db, url }: OpenDatabase, env: Env): Promise<void> {
  if (env.databaseUrl === null) return;
  const channel = `hello_${randomBytes(8).toString('hex')}`;
  const listener = new PrimaryClient({
    connectionString: url,
    connectionTimeoutMillis: 2_500,
    query_timeout: 5_000,
  });
  const { promise: heard, resolve, reject } = Promise.withResolvers<boolean>();
  listener.on('error', reject);
  listener.on('notification', () => resolve(true));
  heard.catch(() => {}); // Awaited last.
  try {
    const limits = await sql<{ patience: string }>`
      select current_setting('lock_timeout') as patience`.execute(db);
    if (limits.rows[0]?.patience === '0') throw new DeafDatabase(env);
    await listener.connect();
    await listener.query(`listen ${channel}`);
    await sql`select pg_notify(${channel}, '')`.execute(db);
    // The timer starts after connecting, which can be slow on a busy server.
    setTimeout(() => resolve(false), probeTimeoutMs).unref();
    if (!(await heard)) throw new DeafDatabase(env);
  } catch (error) {
    const isRefused =
      error instanceof Error && error.message.includes('unsupported startup parameter');
    throw isRefused ? new DeafDatabase(env) : error;
  } finally {
    cut(listener);
  }
}

/**
 * Thrown if the site is connected through a pooler without a direct URL. The message is for the
 * operator.
 */
export class DeafDatabase extends Error {
  override name = 'DeafDatabase';

  constructor({ databaseUrlDirect }: Env) {
    super(
      databaseUrlDirect === null
        ? 'DATABASE_URL points to a connection pooler such as pgbouncer, and DATABASE_URL_DIRECT is missing. The site would not receive notifications of changes, and its locks and limits would not hold. Set DATABASE_URL_DIRECT to the PostgreSQL server itself; pages keep using DATABASE_URL.'
        : 'Notifications through DATABASE_URL do not arrive at DATABASE_URL_DIRECT. It must connect to the same database directly, without a connection pooler.',
    );
  }
}

function shown(folder: string): string {
  const relative = path.relative(process.cwd(), folder);
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : `./${relative}`;
}

function withoutCredentials(url: string): string {
  const address = new URL(url);
  return `${hostsOf(address).join(', ')}${address.pathname}`;
}
