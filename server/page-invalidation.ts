import { setTimeout as wait, setImmediate as turn } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '#app/platform/log.server.ts';
import { cut, keepAlive } from '#database/connect.ts';
import { PrimaryClient } from '#database/primary-client.ts';

/** The tag prefix of changes after which old pages may be shown as stale (see `announce_deals`). */
const standsIn = 'old';
const firstPauseInMs = 250;
/** ms; together with one connection attempt, the site recovers within ten seconds */
const longestPauseInMs = 4_000;
const pulseInMs = 3_000;
const patienceInMs = 4_000;

export type PageInvalidation = ReturnType<typeof listenForPageChanges>;

/** A listener, such as the page cache. */
export interface PageListener {
  /**
   * Invalidates pages. `mayBeStale`: pages with these tags are outdated, but show nothing that was
   * removed or hidden.
   */
  invalidate(tags: readonly string[], mayBeStale: boolean): void;
  trust(isTrusted: boolean): void;
}

/**
 * Receives the tags of committed changes from the database, whichever process made them.
 * Invalidates everything when a lost connection is restored, because notifications were missed.
 * Calls `onSilence` if the database is unresponsive for seconds without closing the connection,
 * because other connections are then dead too.
 */
export function listenForPageChanges(
  url: string,
  listeners: readonly PageListener[],
  log: Log,
  onSilence: () => void = () => {},
) {
  const invalidate = (words: readonly string[]) => {
    const tags = words.filter((word) => word !== standsIn);
    listeners.forEach((one) => one.invalidate(tags, tags.length < words.length));
  };
  const trust = (isTrusted: boolean) => listeners.forEach((one) => one.trust(isTrusted));
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pause = firstPauseInMs;
  let isStopped = false;

  trust(false);
  void listen();
  return {
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      const last = client;
      client = null;
      if (last) await Promise.race([last.end().catch(() => {}), wait(1_000, null, { ref: false })]);
      if (last) cut(last);
    },
  };

  async function listen(): Promise<void> {
    const next = new PrimaryClient({
      connectionString: url,
      connectionTimeoutMillis: 2_500,
      query_timeout: 5_000,
      ...keepAlive,
      application_name: 'deal-hub pages',
    });
    client = next;
    next.on('notification', ({ payload }) => invalidate((payload || 'all').split(' ')));
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next));
    try {
      await next.connect();
      await next.query('listen pages');
    } catch (error) {
      return lose(next, error);
    }
    if (client !== next) return;
    pause = firstPauseInMs;
    invalidate(['all']);
    trust(true);
    pulse(next);
  }

  /** Detects half-open connections. */
  function pulse(current: Client): void {
    timer = setTimeout(() => void beat(current), pulseInMs).unref();
  }

  async function beat(current: Client): Promise<void> {
    const answer = await ask(current);
    if (client !== current) return;
    if (answer === 'well') return pulse(current);
    lose(current, new Error(`the database ${answer === 'silent' ? 'hangs' : 'refuses'}`));
    if (answer === 'silent') onSilence();
  }

  function lose(lost: Client, error?: unknown): void {
    if (client !== lost) return;
    client = null;
    cut(lost);
    if (isStopped) return;
    trust(false);
    log.warn({ err: error, retryInMs: pause }, 'notifications of page changes are interrupted');
    clearTimeout(timer);
    timer = setTimeout(() => void listen(), pause).unref();
    pause = Math.min(pause * 2, longestPauseInMs);
  }
}

/**
 * Sends a query. Accepts a late response that has already arrived, because this process may have
 * been too busy to read it.
 */
async function ask(client: Client): Promise<'well' | 'refused' | 'silent'> {
  let answer: 'well' | 'refused' | 'silent' = 'silent';
  const asked = client.query('select 1').then(
    () => (answer = 'well'),
    () => (answer = 'refused'),
  );
  await Promise.race([asked, wait(patienceInMs, null, { ref: false })]);
  await turn();
  return answer;
}
