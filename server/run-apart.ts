import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { heedSignals } from '#server/heed-signals.ts';
import { ownProcessLimits, type RunApart, type Trouble } from '#app/platform/own-process.ts';

const cli = fileURLToPath(new URL('cli.ts', import.meta.url));
const beatEveryMs = 1_000;

interface Options extends Partial<typeof ownProcessLimits> {
  /** Returns a job's command line. */
  commandOf?: (job: string) => string[];
}

/**
 * Returns a function that runs a job in a child process, like `deals jobs run`. Kills the child if
 * its event loop is blocked or it uses too much memory. Within a process, nothing could interrupt a
 * slow regular expression.
 */
export function jobRunner({
  commandOf = (job) => [cli, 'jobs', 'run', job, '--watched'],
  ...given
}: Options = {}): RunApart {
  const limits = { ...ownProcessLimits, ...given };
  return async (job, signal) => {
    if (signal.aborted) return null;
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${limits.heapMb}`, ...commandOf(job)],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    );
    const ended = once(child, 'exit');
    const stop = () => child.kill('SIGTERM');
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    signal.addEventListener('abort', stop);
    const watch = watchBeats(child, limits);
    try {
      const [code, by] = (await ended) as [number | null, NodeJS.Signals | null];
      return watch.trouble() ?? endOf(code, by);
    } finally {
      watch.end();
      signal.removeEventListener('abort', stop);
      process.off('exit', kill);
    }
  };
}

function watchBeats(child: ChildProcess, { silentSeconds, memoryMb }: typeof ownProcessLimits) {
  let trouble: Trouble | null = null;
  const kill = (why: Trouble) => {
    trouble ??= why;
    child.kill('SIGKILL');
  };
  const patience = setTimeout(() => kill('silent'), silentSeconds * 1000);
  child.on('message', (bytes) => {
    patience.refresh();
    if (Number(bytes) > memoryMb * 2 ** 20) kill('memory');
  });
  return { trouble: () => trouble, end: () => clearTimeout(patience) };
}

/** Returns why a process ended. V8 aborts a process when its heap is full. */
function endOf(code: number | null, by: NodeJS.Signals | null): Trouble | 'failed' | null {
  if (by === 'SIGABRT' || code === 134) return 'memory';
  if (by !== null) return by === 'SIGTERM' ? null : 'died';
  return code === 0 ? null : 'failed';
}

/**
 * Returns the child's stop signal, which fires on a signal from outside, or when the parent exits.
 * A `watched` child reports every second that its event loop is running, and its memory in bytes.
 */
export function heedParent(watched: boolean): { signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const endSignals = heedSignals((by) => {
    stop();
    if (by === 'SIGINT' && !watched) process.exitCode = 130;
  });
  if (!watched) return { signal: stopping.signal, end: endSignals };
  process.once('disconnect', stop);
  // If the server runs out of memory, the kernel kills this process before the one that serves
  // visitors.
  void writeFile('/proc/self/oom_score_adj', '500').catch(() => {});
  const beat = () => {
    if (process.connected) process.send?.(process.memoryUsage.rss());
  };
  beat();
  const timer = setInterval(beat, beatEveryMs);
  return {
    signal: stopping.signal,
    end() {
      clearInterval(timer);
      endSignals();
      if (process.connected) process.disconnect();
    },
  };
}
