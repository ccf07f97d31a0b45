import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '#test/free-port.ts';
import { runDeals, type Said } from '#test/run-deals.ts';

export interface WebProcess {
  port: number;
  /** Stops the process as an owner would, and returns its output. */
  stop(): Promise<Said>;
}

/**
 * A web process of the site, as in production. `root` is the folder of the build, if not this one.
 */
export async function startWebProcess(
  env: Record<string, string>,
  root?: string,
): Promise<WebProcess> {
  const port = await freePort();
  const settings = { NODE_ENV: 'production', SEED: 'none', PORT: String(port), HOST: '127.0.0.1' };
  // Rate limits are off and timeouts long, because all visitors in a test share one IP address and
  // the server is busy.
  const patient = { RATE_LIMITS: 'page=0,search=0,search-burst=0', OVERLOAD_DELAY_MS: '0' };
  const started: { child?: ChildProcess } = {};
  const over = runDeals(
    ['start', '--role', 'web'],
    { ...settings, ...patient, ...env },
    { onStart: (child) => (started.child = child), ...(root !== undefined && { root }) },
  );
  let isRunning = false;
  for await (const line of createInterface({ input: started.child!.stdout! })) {
    isRunning ||= line.includes('Deal Hub is running');
    if (isRunning) break;
  }
  if (!isRunning) {
    throw new Error(`The site did not start: ${(await over).err}`);
  }
  started.child!.stdout!.resume();
  return {
    port,
    stop() {
      started.child?.kill('SIGTERM');
      return over;
    },
  };
}
