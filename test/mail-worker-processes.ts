import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { TestDatabase } from '#test/database.ts';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

/**
 * Starts a program of `test/fixtures` as a mail worker in a process of its own, which tells when it is at work. Whoever
 * still lives at the end of a test is killed.
 */
export function useMailWorkers(database: TestDatabase, program: string) {
  const children = new Set<ChildProcess>();
  async function kill(child: ChildProcess): Promise<void> {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  afterEach(async () => {
    for (const child of children) await kill(child);
  });
  return {
    kill,
    async start(smtpPort: number): Promise<ChildProcess> {
      const child = spawn(process.execPath, [`${fixtures}/${program}`], {
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
