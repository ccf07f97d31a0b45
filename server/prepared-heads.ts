import type { ServerResponse } from 'node:http';
import type { HeaderSet } from '#server/security-headers.ts';

/** Of pages that are asked for within one second, and more often than once. */
const mostHeads = 500;

/**
 * The heads of answers from memory as text, each made by node:http once in a second, since the date is in it: to put one
 * together costs a tenth of such an answer. Where node:http keeps the text is its own affair (`_header`): where none is found
 * there, and for all but the plainest answers, the ordinary way is taken.
 */
export class PreparedHeads {
  readonly #heads = new Map<HeaderSet, string>();
  readonly #now: () => number;
  #second = 0;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /** In place of `response.writeHead`. */
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
    // In one piece: what was joined of many is copied piece by piece each time.
    this.#heads.set(headers, Buffer.from(made, 'latin1').toString('latin1'));
  }
}
