import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/free-port.ts';

export interface DemoSite {
  origin: string;
  /** The site's data folder, for commands that connect to its database. */
  folder: string;
  /** The link to create the owner's account, or null on a site that has one. */
  setupLink: string | null;
  /** Stops the process and removes its folder. */
  stop(): Promise<void>;
}

/** Starts the built site with a demo shop, in its own folder, as an owner would on a new server. */
export async function startDemoSite(settings: Record<string, string> = {}): Promise<DemoSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-demo-'));
  const port = await freePort();
  const { DATABASE_URL: _unused, ORIGIN: _other, ...environment } = process.env;
  const site = spawn(process.execPath, ['server/cli.ts', 'start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...environment,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'page=0,search=0,search-burst=0,share-picture=0', // all share one IP
      OVERLOAD_DELAY_MS: '0', // the server load is irrelevant here
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(site, 'exit');
  let running: { setupLink?: string } | null = null;
  for await (const line of createInterface({ input: site.stdout })) {
    if (line.includes('Deal Hub is running')) running = JSON.parse(line);
    if (running !== null) break;
  }
  if (running === null) {
    await rm(folder, { recursive: true, force: true });
    throw new Error('The site did not start; see its message above. Is it built?');
  }
  site.stdout.on('data', (text) => process.stderr.write(text));
  return {
    origin: `http://localhost:${port}`,
    folder,
    setupLink: running.setupLink ?? null,
    async stop() {
      site.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
