import type { ServerResponse } from 'node:http';
import type { HeaderSet } from '#server/security-headers.ts';

/** heads; only pages requested more than once within a second have one */
const mostHeads = 500;

/**
 * Caches response heads as text, for responses from memory. Building a head takes a tenth of the
 * time of such a response. node:http builds each head once per second, because it contains the
 * date. The text is in a private field of node:http (`_header`). If that field is missing, or the
 * response is not plain, the normal path is used.
 */
export class PreparedHeads {
  readonly #heads = new Map<HeaderSet, string>();
  readonly #now: () => number;
  #second = 0;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /** Writes a head instead of `response.writeHead`. */
  write(response: ServerResponse, status: number, headers: HeaderSet): void {
    const isPlain = status === 200 && response.shouldKeepAlive && !response.req.headers.expect;
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) this.#heads.clear();
    this.#second = second;
    const known = isPlain ? this.#heads.get(headers) : undefined;
    if (known !== undefined) {
      Object.assign(response, { _header: known });
      return;
    }
    response.writeHead(status, headers);
    const made: unknown = Reflect.get(response, '_header');
    if (!isPlain || typeof made !== 'string' || this.#heads.size >= mostHeads) return;
    // Flattens the string, because a concatenated one would be copied piece by piece each time.
    this.#heads.set(headers, Buffer.from(made, 'latin1').toString('latin1'));
  }
}
