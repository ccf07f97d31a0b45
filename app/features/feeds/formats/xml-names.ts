/** Remembers which prefixes stand for Google's names. */
export function notePrefixes(attributes: Record<string, string>, into: Map<string, boolean>): void {
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    if (into.size < 100)
      into.set(name.slice(6), /base\.google\.com\/c?ns\//.test(attributes[name] ?? ''));
  }
}

export function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

/** Returns the prefix of a name, up to the attributes. */
export function prefixOf(step: string): string {
  return /^([^:@[]+):/.exec(step)?.[1] ?? '';
}
