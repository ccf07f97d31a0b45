import type { Log } from '#app/platform/log.server.ts';

const logEveryMs = 10_000;

/**
 * Counts cached pages for one log line every ten seconds, because a line per page would cost as
 * much as the response.
 */
export class CachedPageCount {
  readonly #log: Log;
  readonly #staleOnErrorSoFar: () => number;
  #pages = 0;
  #staleOnError = 0;
  #isScheduled = false;

  /**
   * `staleOnErrorSoFar` returns the number of stale pages shown because no newer one was available.
   */
  constructor(log: Log, staleOnErrorSoFar: () => number = () => 0) {
    this.#log = log;
    this.#staleOnErrorSoFar = staleOnErrorSoFar;
  }

  count(): void {
    this.#pages++;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.#write(), logEveryMs).unref();
  }

  #write(): void {
    this.#isScheduled = false;
    const stale = this.#staleOnErrorSoFar() - this.#staleOnError;
    const tooOld = stale > 0 ? { stale } : {};
    this.#log.info({ pages: this.#pages, ...tooOld }, 'shared pages');
    this.#pages = 0;
    this.#staleOnError += stale;
  }
}
