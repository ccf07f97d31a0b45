import { type Env, readEnv } from '#app/platform/env.server.ts';
import { createLog, type Log } from '#app/platform/log.server.ts';
import { pino } from 'pino';
import { type OpenDatabase, openDatabase, refuseDeafDatabase } from '#server/open-database.ts';

/** What a command works with. It joins the database of a running site, or starts it for as long as it runs. */
export interface CommandContext {
  database: OpenDatabase;
  env: Env;
  log: Log;
}

/** Results go to stdout; what the log says meanwhile goes to stderr, and only when it matters. */
export async function withDatabase<T>(
  run: (context: CommandContext) => Promise<T>,
  options: { statementTimeout?: number } = {},
): Promise<T> {
  const env = readEnv();
  const level = env.logLevel === 'info' ? 'warn' : env.logLevel;
  const log = createLog(level, pino.destination(2));
  const database = await openDatabase(env, log, options);
  try {
    await refuseDeafDatabase(database, env);
    return await run({ database, env, log });
  } finally {
    await database.stop();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}
