import type { Log } from '#app/platform/log.server.ts';

// ms; Ctrl+C arrives twice, from the terminal and from npm, which forwards it
const echoInMs = 500;
const graceInMs = 5_000;

/**
 * Shuts the site down cleanly on the first SIGTERM or SIGINT, and immediately on the second. Also
 * logs an uncaught error and then stops. Two of the steps may take `seconds` each, after
 * `drainSeconds` on SIGTERM. `tell` is called first, with the longest possible duration.
 */
export function stopOnSignals(
  log: Log,
  seconds: number,
  drainSeconds = 0,
  tell: (patienceInMs: number) => void = () => {},
) {
  const steps: (() => Promise<unknown>)[] = [];
  let stoppingSince: number | null = null;
  let draining = 0;

  process.on('SIGTERM', () => onSignal('SIGTERM', 143));
  process.on('SIGINT', () => onSignal('SIGINT', 130));
  process.on('SIGHUP', () => onSignal('SIGHUP', 129));
  process.on('uncaughtException', onMistake);
  process.on('unhandledRejection', onMistake);
  return {
    /** Registers a shutdown step. The last one registered runs first. */
    atTheEnd: (step: () => Promise<unknown>) => void steps.push(step),
    now: () => stoppingSince !== null,
    /**
     * Returns how long to keep serving until load balancers have noticed, in seconds. 0 after
     * Ctrl+C or an error.
     */
    drainSeconds: () => draining,
  };

  function onSignal(signal: string, impatientCode: number): void {
    const now = performance.now();
    if (stoppingSince !== null) {
      if (now - stoppingSince > echoInMs) process.exit(impatientCode);
      return;
    }
    stoppingSince = now;
    if (signal === 'SIGTERM') draining = drainSeconds;
    log.info({ signal }, 'stopping');
    void stop(0, (draining + seconds * 2 + 5) * 1000);
  }

  function onMistake(error: unknown): void {
    log.fatal({ err: error }, 'uncaught error');
    if (stoppingSince !== null) process.exit(1);
    stoppingSince = performance.now();
    void stop(1, graceInMs);
  }

  async function stop(code: number, patienceInMs: number): Promise<void> {
    tell(patienceInMs);
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, patienceInMs).unref();
    for (const step of steps.toReversed()) {
      await step().catch((error: unknown) => {
        log.error({ err: error }, 'could not shut everything down');
        code = 1;
      });
    }
    log.info('stopped');
    process.exit(code);
  }
}
