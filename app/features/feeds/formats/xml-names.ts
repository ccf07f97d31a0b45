/** Records which of the prefixes declared by an element refer to Google's namespace. */
export function notePrefixes(attributes: Record<string, string>, into: Map<string, boolean>): void {
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    if (into.size < 100)
      into.set(name.slice(6), /base\.google\.com\/c?ns\//.test(attributes[name] ?? ''));
  }
}

/** Returns the name of an element without its prefix. */
export function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

/** Returns the prefix of a name, without any attribute part. */
export function prefixOf(step: string): string {
  return /^([^:@[]+):/.exec(step)?.[1] ?? '';
}
