/** A cache of a limited size that evicts the least recently used values. */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, Value>(); // Values in order of use.
  readonly #mostBytes: number;
  readonly #weigh: (value: Value) => number;
  #bytes = 0;

  /** `weigh` returns the size of a value in bytes. The cache adds the size of its key. */
  constructor(mostBytes: number, weigh: (value: Value) => number) {
    this.#mostBytes = mostBytes;
    this.#weigh = weigh;
  }

  /** Returns the cached value, or computes it. Values above the limit are not cached. */
  read(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, known);
      return known;
    }
    const value = make();
    const bytes = this.#bytesOf(key, value);
    if (bytes > this.#mostBytes) return value;
    this.#values.set(key, value);
    this.#bytes += bytes;
    this.#makeRoom();
    return value;
  }

  #makeRoom(): void {
    for (const [key, value] of this.#values) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#values.delete(key);
      this.#bytes -= this.#bytesOf(key, value);
    }
  }

  #bytesOf(key: string, value: Value): number {
    return key.length + this.#weigh(value);
  }
}
