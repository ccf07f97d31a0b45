import { placesOf } from './feed-fields.ts';

/**
 * Fills a title's template, such as `{vendor} {model}`. A part contained in a later one is omitted.
 * A later part that begins with the first one becomes the whole title.
 */
export function combineParts(template: string, valueOf: (name: string) => string): string {
  const found = placesOf(template).map(valueOf);
  if (found.some((part) => part === '')) return '';
  const low = found.map((part) => part.toLowerCase());
  const whole = found.find((_, at) => at > 0 && low[at]?.startsWith(low[0] ?? ''));
  if (whole !== undefined) return whole;
  const isRepeated = (at: number) =>
    low.some((part, other) => other > at && part.includes(low[at] ?? ''));
  let at = -1;
  return template
    .replace(/\{[^{}]+\}/g, () => {
      at += 1;
      return isRepeated(at) ? '' : (found[at] ?? '');
    })
    .replace(/\s+/g, ' ')
    .trim();
}
