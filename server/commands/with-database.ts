import { InvalidArgumentError } from 'commander';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { createLog, type Log } from '#app/platform/log.server.ts';
import { pino } from 'pino';
import { type OpenDatabase, openDatabase, refuseDeafDatabase } from '#server/open-database.ts';
import { migrate } from '#database/migrate.ts';

/** What a command works with, brought up to date. It joins the database of a running site, or starts one meanwhile. */
interface CommandContext {
  database: OpenDatabase;
  env: Env;
  log: Log;
}

/** Results go to stdout; what the log says meanwhile goes to stderr, and only when it matters. */
export async function withDatabase<T>(
  run: (context: CommandContext) => Promise<T>,
  {
    mayBeOlder = false,
    ...options
  }: {
    statementTimeout?: number;
    /** The command brings the database up to date itself. */
    mayBeOlder?: boolean;
  } = {},
): Promise<T> {
  const env = readEnv();
  const level = env.logLevel === 'info' ? 'warn' : env.logLevel;
  const log = createLog(level, pino.destination(2));
  const database = await openDatabase(env, log, options);
  try {
    await refuseDeafDatabase(database, env);
    if (!mayBeOlder) await migrate(database.db);
    return await run({ database, env, log });
  } finally {
    await database.stop();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What came of a command: `value` as JSON where that is asked for, else `words`. */
export function printAs({ json }: { json?: boolean }, value: unknown, words: string): void {
  print(json ? JSON.stringify(value, null, 2) : words);
}

/** Reads an argument. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('A whole number from 1 on.');
  return number;
}
