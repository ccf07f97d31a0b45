const sameAs: Record<string, string> = { b: 'strong', i: 'em', del: 's', strike: 's' };

/** Returns the names of elements that occur more often in `html` than in `kept`. */
export function lostElements(html: string, kept: string): string[] {
  const [all, left] = [countElements(html), countElements(kept)];
  return [...all]
    .filter(([name, count]) => name !== 'p' && (left.get(name) ?? 0) < count)
    .map(([name]) => name);
}

function countElements(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, tag = ''] of html.matchAll(/<([a-z][a-z\d]*)/gi)) {
    const name = sameAs[tag.toLowerCase()] ?? tag.toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
