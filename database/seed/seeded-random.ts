export type SeededRandom = ReturnType<typeof seededRandom>;

/**
 * The mulberry32 generator. The same seed produces the same demo shop, so screenshots stay stable.
 */
export function seededRandom(seed: number) {
  let state = seed >>> 0;

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns an integer from `low` to `high`, inclusive. */
  function between(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1));
  }

  function pick<T>(list: readonly T[]): T {
    const picked = list[between(0, list.length - 1)];
    if (picked === undefined) throw new Error('Cannot pick from an empty list');
    return picked;
  }

  /** Returns a shuffled copy. The list itself is unchanged. */
  function shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, order: next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ item }) => item);
  }

  return { next, between, chance: (probability: number) => next() < probability, pick, shuffled };
}

/** A 32-bit FNV-1a hash, which spreads slugs evenly over palettes and needs no dependency. */
export function hashText(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 16777619);
  }
  return hash >>> 0;
}
