import type { Log } from '#app/platform/log.server.ts';

const tellEveryMs = 10_000;

/**
 * Pages answered from the cache are counted, and told in one line every ten seconds: a line for each would cost as
 * much as the answer itself. Every other request has a line of its own.
 */
export class KeptPageCount {
  readonly #log: Log;
  #pages = 0;
  #isTelling = false;

  constructor(log: Log) {
    this.#log = log;
  }

  count(): void {
    this.#pages++;
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => this.#tell(), tellEveryMs).unref();
  }

  #tell(): void {
    this.#isTelling = false;
    this.#log.info({ pages: this.#pages }, 'shared pages');
    this.#pages = 0;
  }
}
