import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface DemoSite {
  origin: string;
  /** Its data folder, for commands that join it. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts the built site with a demo shop in a folder of its own, as an owner would on a new machine. */
export async function startDemoSite(): Promise<DemoSite> {
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
      RATE_LIMITS: 'page=0,search=0,search-burst=0', // every visitor of the journeys has one address
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(site, 'exit');
  let isRunning = false;
  for await (const line of createInterface({ input: site.stdout })) {
    isRunning = line.includes('Deal Hub is running');
    if (isRunning) break;
  }
  if (!isRunning) {
    await rm(folder, { recursive: true, force: true });
    throw new Error('The site did not start; its message stands above. Is it built?');
  }
  site.stdout.on('data', (text) => process.stderr.write(text));
  return {
    origin: `http://localhost:${port}`,
    folder,
    async stop() {
      site.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
