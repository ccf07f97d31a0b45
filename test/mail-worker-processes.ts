import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterEach, beforeAll } from 'vitest';
import type { TestDatabase } from '#test/database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Starts a program of `test/fixtures` as a mail worker in a process of its own. The worker reports
 * when it is working. Workers that are still alive at the end of a test are killed.
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

  beforeAll(() => buildWorker(program, outDir));
  afterEach(async () => {
    for (const child of children) await kill(child);
  });

  return {
    kill,
    async start(smtpPort: number): Promise<ChildProcess> {
      const child = spawn(process.execPath, [path.join(outDir, program.replace('.ts', '.js'))], {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          ORIGIN: 'https://deals.test',
          DATABASE_URL: database.url,
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
 * Bundles a worker with all its imports. Dozens are started and killed, and one file loads in a
 * third of the time of its hundreds of modules. The bundle is in `build`, where the site's own
 * bundle finds the folders it reads.
 */
async function buildWorker(program: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' }, // like the pages' build
    build: { ssr: `test/fixtures/${program}`, outDir, copyPublicDir: false, minify: false },
  });
}
