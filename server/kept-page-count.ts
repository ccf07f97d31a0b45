import type { Log } from '#app/platform/log.server.ts';

const tellEveryMs = 10_000;

/**
 * Counts cached pages for one log line every ten seconds, since a line for each would cost as much
 * as the response.
 */
export class KeptPageCount {
  readonly #log: Log;
  readonly #stoodInSoFar: () => number;
  #pages = 0;
  #stoodIn = 0;
  #isTelling = false;

  /** `stoodInSoFar` counts stale pages that were shown because no newer one was available. */
  constructor(log: Log, stoodInSoFar: () => number = () => 0) {
    this.#log = log;
    this.#stoodInSoFar = stoodInSoFar;
  }

  count(): void {
    this.#pages++;
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => this.#tell(), tellEveryMs).unref();
  }

  #tell(): void {
    this.#isTelling = false;
    const standIns = this.#stoodInSoFar() - this.#stoodIn;
    const tooOld = standIns > 0 ? { standIns } : {};
    this.#log.info({ pages: this.#pages, ...tooOld }, 'shared pages');
    this.#pages = 0;
    this.#stoodIn += standIns;
  }
}
