/**
 * Maps tags to keys. Most tags have only one key, such as a deal on the last page of a list. For
 * them, no set is created, because it would use more memory than the rest of the page's
 * bookkeeping.
 */
export class KeysByTag {
  readonly #keys = new Map<string, string | Set<string>>();

  keysOf(tag: string): readonly string[] {
    const known = this.#keys.get(tag);
    if (known === undefined) return [];
    return typeof known === 'string' ? [known] : [...known];
  }

  add(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const known = this.#keys.get(tag);
      if (known === undefined) this.#keys.set(tag, key);
      else if (typeof known !== 'string') known.add(key);
      else if (known !== key) this.#keys.set(tag, new Set([known, key]));
    }
  }

  delete(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const known = this.#keys.get(tag);
      if (typeof known === 'object') known.delete(key);
      if (known === key || (typeof known === 'object' && known.size === 0)) this.#keys.delete(tag);
    }
  }
}
