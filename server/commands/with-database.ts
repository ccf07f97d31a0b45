import { InvalidArgumentError } from 'commander';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { createLog, type Log } from '#app/platform/log.server.ts';
import { pino } from 'pino';
import { type OpenDatabase, openDatabase, refuseDeafDatabase } from '#server/open-database.ts';
import { migrate } from '#database/migrate.ts';

/**
 * A command's context, with a migrated database. Uses the running site's database, or starts one
 * for the duration of the command.
 */
interface CommandContext {
  database: OpenDatabase;
  env: Env;
  log: Log;
}

/** Runs a command. Results go to stdout, and important log lines to stderr. */
export async function withDatabase<T>(
  run: (context: CommandContext) => Promise<T>,
  {
    mayBeOlder = false,
    ...options
  }: {
    statementTimeout?: number;
    /** Whether the command migrates the database itself. */
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

/** Prints a command's result: `value` as JSON if requested, otherwise `words`. */
export function printAs({ json }: { json?: boolean }, value: unknown, words: string): void {
  print(json ? JSON.stringify(value, null, 2) : words);
}

/** Parses an argument as a positive integer. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('A positive integer.');
  return number;
}
