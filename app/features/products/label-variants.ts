interface Labelled {
  title: string;
  /** The difference that staff or a feed stated, if any. */
  label: string | null;
}

/**
 * Returns a label for each of a product's variants: its own, or else the part of its title after
 * the beginning that all titles share, without brackets.
 */
export function labelVariants(variants: readonly Labelled[]): string[] {
  const titles = variants.map(({ title }) => title.split(' '));
  const [first = []] = titles;
  const other = first.findIndex((word, at) => titles.some((words) => words[at] !== word));
  const shared = other === -1 ? first.length : other;
  return variants.map(({ label, title }) => {
    const rest = title
      .split(' ')
      .slice(shared)
      .join(' ')
      .replace(/[()[\]]/g, '');
    return label ?? (rest === '' ? title : rest);
  });
}
