import { Writable } from 'node:stream';

/**
 * Streams a page from React to the server. React writes a few kilobytes at a time, and compressing,
 * flushing and sending each would cost more than rendering. Therefore everything written in one
 * turn of the event loop is sent as one chunk.
 */
export class PageBody extends Writable {
  readonly stream: ReadableStream<Uint8Array>;
  #output: ReadableStreamDefaultController<Uint8Array> | undefined;
  #gathered: Uint8Array[] = [];
  #next: NodeJS.Immediate | undefined;

  constructor(whenDone: () => void) {
    // The buffer has no limit: a page is small, and React treats a full buffer as a slow reader and
    // waits.
    super({ highWaterMark: Number.MAX_SAFE_INTEGER });
    this.once('close', whenDone);
    this.on('error', (error) => this.#output?.error(error));
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#output = controller),
      cancel: () => {
        this.#output = undefined;
        this.destroy();
      },
    });
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#gathered.push(chunk);
    this.#next ??= setImmediate(() => this.#send());
    done();
  }

  override _final(done: () => void): void {
    this.#send();
    this.#output?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearImmediate(this.#next);
    done(error);
  }

  #send(): void {
    clearImmediate(this.#next);
    this.#next = undefined;
    if (this.#gathered.length === 0) return;
    this.#output?.enqueue(Buffer.concat(this.#gathered));
    this.#gathered = [];
  }
}
