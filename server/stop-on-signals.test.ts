import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Starts a process whose last shutdown step takes as long as `step`, and which prints each line
 * that it logs.
 */
async function startProcess(step: string): Promise<ChildProcess> {
  const program = `
    import { createLog } from '#app/platform/log.server.ts';
    import { stopOnSignals } from '#server/stop-on-signals.ts';
    const stopping = stopOnSignals(createLog('info'), 60);
    stopping.atTheEnd(async () => console.log('last'));
    stopping.atTheEnd(${step});
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const args = ['--input-type=module-typescript', '--eval', program];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout }).on('line', () => {})) {
    if (line === 'ready') break;
  }
  return child;
}

// Proves R38: graceful stop
it('R38: shuts everything down in reverse order on the first signal, and exits with code 0', async () => {
  const child = await startProcess(`async () => console.log('first')`);
  let said = '';
  child.stdout?.on('data', (text) => (said += text)).resume();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(said.indexOf('first')).toBeLessThan(said.indexOf('last'));
});

it('R38: exits immediately on a second signal, even during an endless step', async () => {
  const child = await startProcess('() => new Promise(() => {})');
  child.stdout?.resume();
  const exit = once(child, 'exit');
  // A signal directly after the first is an echo of it and is ignored.
  const impatience = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await exit).toEqual([143, null]);
  clearInterval(impatience);
});
