import path from 'node:path';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import { startEmbeddedPostgres, type Tell } from '#database/embedded-postgres.ts';

export interface OpenDatabase extends Connection {
  url: string;
  /** For people: `embedded (./data)` or `db.example:5432/deals`. Never holds a password. */
  description: string;
  /** Closes the pool and leaves the embedded server, which shuts down when nobody else uses it. */
  stop(): Promise<void>;
}

/**
 * The site's database: the one of DATABASE_URL, else the private one in DATA_DIR, started or joined; moved to this
 * release's PostgreSQL first where it `mayMove` and is of an older one.
 */
export async function openDatabase(
  env: Env,
  log: Log,
  { mayMove = false, ...options }: { statementTimeout?: number; mayMove?: boolean } = {},
): Promise<OpenDatabase> {
  const tell: Tell = (line, urgency) => log[urgency ? 'warn' : 'info'](line);
  const embedded =
    env.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: env.dataDir, log: tell, mayMove })
      : null;
  const url = embedded?.url ?? env.databaseUrl ?? '';
  const connection = connect(url, {
    ...options,
    maxConnections: env.databasePool,
    onError: (error) => log.warn({ err: error }, 'a database connection dropped'),
  });
  return {
    ...connection,
    url,
    description: embedded ? `embedded (${shown(env.dataDir)})` : withoutCredentials(url),
    async stop() {
      await connection.close();
      await embedded?.stop();
    },
  };
}

function shown(folder: string): string {
  const relative = path.relative(process.cwd(), folder);
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : `./${relative}`;
}

function withoutCredentials(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
