import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { currentShop } from './current-shop.ts';

const run = promisify(execFile);

/** Runs `deals …` on the running shop's server, as the owner would. Returns the output. */
export async function runCommand(...words: string[]): Promise<string> {
  const { origin, folder, database } = currentShop();
  const { DATABASE_URL: _unused, ...environment } = process.env;
  const { stdout } = await run(process.execPath, ['server/cli.ts', ...words], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...environment,
      ...(database !== null && { DATABASE_URL: database }),
      NODE_ENV: 'production',
      DATA_DIR: folder,
      ORIGIN: origin,
      LOG_LEVEL: 'warn',
    },
  });
  return stdout;
}
