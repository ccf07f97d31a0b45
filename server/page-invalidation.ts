import { Client } from 'pg';
import type { Log } from '#app/platform/log.server.ts';

const firstPauseInMs = 250;
const longestPauseInMs = 10_000;
const pulseInMs = 10_000;

export interface PageInvalidation {
  stop(): Promise<void>;
}

/** Whom the news is for, such as the page cache. */
export interface PageListener {
  empty(tags: readonly string[]): void;
  trust(isTrusted: boolean): void;
}

/**
 * Hears from the database which pages a committed change touches, whichever process made it, on a connection of
 * its own. News missed while the line was down is made up for by emptying everything when it is back.
 */
export function listenForPageChanges(
  url: string,
  listeners: readonly PageListener[],
  log: Log,
): PageInvalidation {
  const empty = (tags: readonly string[]) => listeners.forEach((one) => one.empty(tags));
  const trust = (isTrusted: boolean) => listeners.forEach((one) => one.trust(isTrusted));
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pause = firstPauseInMs;
  let isStopped = false;

  trust(false);
  void listen();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const last = client;
      client = null;
      await last?.end().catch(() => {});
    },
  };

  async function listen(): Promise<void> {
    const next = new Client({
      connectionString: url,
      connectionTimeoutMillis: 2_500,
      query_timeout: 5_000,
      keepAlive: true,
      application_name: 'deal-hub pages',
    });
    client = next;
    next.on('notification', ({ payload }) => empty((payload || 'all').split(' ')));
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next));
    try {
      await next.connect();
      await next.query('listen pages');
    } catch (error) {
      lose(next, error);
      return;
    }
    if (client !== next) return;
    pause = firstPauseInMs;
    empty(['all']);
    trust(true);
    pulse(next);
  }

  /** A line that was cut without a word is noticed by asking. */
  function pulse(current: Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => (client === current ? pulse(current) : undefined),
        (error: unknown) => lose(current, error),
      );
    }, pulseInMs);
    timer.unref();
  }

  function lose(lost: Client, error?: unknown): void {
    if (client !== lost) return;
    client = null;
    lost.end().catch(() => {});
    if (isStopped) return;
    trust(false);
    log.warn({ err: error, retryInMs: pause }, 'the news of changed pages is cut off');
    clearTimeout(timer);
    timer = setTimeout(() => void listen(), pause);
    timer.unref();
    pause = Math.min(pause * 2, longestPauseInMs);
  }
}
