import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { build } from 'vite';
import { afterEach, beforeAll, expect } from 'vitest';
import type { TestDatabase } from '#test/database.ts';

/** The application name of the workers' sessions. */
const sessionName = 'deal-hub-worker';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Starts a program from `test/fixtures` as a mail worker in its own process. The worker reports
 * when it is running. Workers still running at the end of a test are killed.
 */
export function useMailWorkers(database: TestDatabase, program: string) {
  const children = new Set<ChildProcess>();
  const outDir = path.join(root, 'build/workers', path.basename(program, '.ts'));

  async function kill(child: ChildProcess): Promise<void> {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /**
   * Kills all workers and waits until their sessions end, because the server still runs the last
   * statement of a killed process.
   */
  async function killAll(): Promise<void> {
    for (const child of children) await kill(child);
    const countSessions = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and application_name = ${sessionName}`.execute(
        database.db,
      );
      return rows.length;
    };
    await expect.poll(countSessions, { timeout: 30_000 }).toBe(0);
  }

  beforeAll(() => buildWorker(program, outDir));
  afterEach(async () => {
    for (const child of children) await kill(child);
  });

  return {
    kill,
    killAll,
    async start(smtpPort: number): Promise<ChildProcess> {
      const url = new URL(database.url);
      url.searchParams.set('application_name', sessionName);
      const child = spawn(process.execPath, [path.join(outDir, program.replace('.ts', '.js'))], {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          ORIGIN: 'https://deals.test',
          DATABASE_URL: url.href,
          SMTP_HOST: '127.0.0.1',
          SMTP_PORT: String(smtpPort),
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.add(child);
      await once(child, 'message');
      return child;
    },
  };
}

/**
 * Bundles a worker with all its imports. Dozens of workers are started and killed, and one file
 * loads in a third of the time that hundreds of modules need. The bundle is in `build`, where it
 * finds the same folders as the site's own bundle.
 */
async function buildWorker(program: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' }, // as in the page build
    build: { ssr: `test/fixtures/${program}`, outDir, copyPublicDir: false, minify: false },
  });
}
