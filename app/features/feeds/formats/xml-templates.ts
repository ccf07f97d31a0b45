import {
  cutCell,
  type FeedField,
  type FeedRow,
  type FieldSources,
  placesOf,
} from './feed-fields.ts';

/** Reads fields that combine elements, such as `{type_prefix} {vendor} {model}`. */
export function xmlTemplates(sources: FieldSources) {
  const templates = [...sources]
    .filter(([text]) => text.includes('{'))
    .map(([text, fills]) => ({ text, fills, places: placesOf(text) }))
    .filter(({ places }) => !places.includes('shop'));
  const wanted = new Set(templates.flatMap(({ places }) => places));
  return {
    note(parts: Map<string, string>, name: string, text: string): void {
      if (wanted.has(name) && !parts.has(name)) parts.set(name, text);
    },
    /** Fills fields that no better name filled; a template without all its parts fills none. */
    fill(
      parts: ReadonlyMap<string, string>,
      ranks: Partial<Record<FeedField, number>>,
      values: FeedRow['values'],
    ): void {
      for (const { text, fills, places } of templates) {
        if (!places.every((name) => parts.has(name))) continue;
        for (const { field, rank } of fills) {
          // Elements without a prefix have this handicap.
          const order = rank * 10 + 10_000;
          if (order >= (ranks[field] ?? Infinity)) continue;
          ranks[field] = order;
          values[field] = cutCell(field, combine(text, places, parts));
        }
      }
    },
  };
}

/** A part that another one repeats is left out; a part that begins with the first is the whole name. */
function combine(
  text: string,
  places: readonly string[],
  parts: ReadonlyMap<string, string>,
): string {
  const found = places.map((name) => parts.get(name) ?? '');
  const low = found.map((part) => part.toLowerCase());
  const whole = found.find((_, at) => at > 0 && low[at]?.startsWith(low[0] ?? ''));
  if (whole !== undefined) return whole;
  const isRepeated = (at: number) =>
    low.some((part, other) => other > at && part.includes(low[at] ?? ''));
  let at = -1;
  return text
    .replace(/\{[^{}]+\}/g, () => {
      at += 1;
      return isRepeated(at) ? '' : (found[at] ?? '');
    })
    .replace(/\s+/g, ' ')
    .trim();
}
