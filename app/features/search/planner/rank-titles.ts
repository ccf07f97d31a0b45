import { fold } from '#app/platform/fold.ts';
import type { Concept } from './read-concepts.ts';
import { plainForm, readMeasure, wordsOf } from './word-forms.ts';

/** Signs and words after which a title names what the product is for, or what comes with it. */
const endOfName =
  /,|;|:|\(|\[|\||\s"|\s[-–—]\s|\s(?:for|with|without|from|by|in|to|at|fits|compatible|w\/)\s/;

const list = (words: string) => new Set(words.split(' '));

/**
 * Words after the noun that don't change what the product is, as in `drill kit` or `phone, black`.
 */
const attributes = list(
  'kit set pair pack bundle combo body series edition model size replacement unlocked new refurbished renewed used ' +
    'men women man woman kid adult unisex black white gray grey silver gold blue red green pink purple brown beige ' +
    'navy cream small medium large mini max pro plus xl xxl s m l portable cordless wireless digital electric',
);

/** Products named after what they belong to, such as `camera backpack`. */
const accessories = list(
  'case cover bag backpack sleeve pouch holder mount stand bracket strap band charger cable cord adapter adaptor lens ' +
    'filter tripod protector skin dock battery remote cartridge tablet liner rack shelf cleaner brush blade bit belt ' +
    'accessory attachment part hook lock cradle keyboard mat pad sticker decal guard film light bulb box organizer ' +
    'organiser cushion sheet bowl lid paper jack chair desk table controller helmet pump monitor inflator wrench',
);

/** Words that follow the noun for the product, as in `case for iphone`. */
export const beforePurpose = list('for with from in at by under to');

/** The quality of a match: as typed, as a synonym, or as a related thing. */
const fits = { typed: 1, synonym: 0.9, related: 0.75 };

interface Pattern {
  words: string[];
  fit: number;
}

interface Found {
  fit: number;
  isInName: boolean;
  /** The position in the name of the last matched word. */
  end: number;
}

const nameOf = (title: string) => title.split(endOfName, 1)[0]?.trim() || title;
const plainWords = (text: string) =>
  wordsOf(text.replaceAll("'s", '')).flatMap((word) =>
    word.split('-').filter(Boolean).map(plainForm),
  );

/**
 * Returns a function that scores a title. The score depends on which words of the query are in the
 * title, as typed or as synonyms. A title that names the product itself scores higher than one that
 * names something for it.
 */
export function titleScorer(concepts: readonly Concept[]): (title: string) => number {
  const head = headOf(concepts);
  const patterns = new Map(concepts.map((concept) => [concept, patternsOf(concept)]));
  const text = concepts.flatMap(({ typed }) => typed).join(' ');
  const askedFor = new Set(concepts.flatMap(({ typed }) => plainWords(typed.join(' '))));
  return (given) => {
    const title = fold(given);
    const name = plainWords(nameOf(title));
    const all = [...name, ...plainWords(title.slice(nameOf(title).length))];
    const place = placeOfHead(name);
    let score = title.startsWith(text) ? 0.05 : 0;
    for (const concept of concepts) {
      const found = find(concept, patterns, all, name.length);
      if (found) score += found.fit * (found.isInName ? 1 : 0.6);
      if (concept === head) score += found ? headScore(found, place, name, askedFor) : 0;
      else if (found?.isInName && found.end === place) score += 0.2;
    }
    return Math.round(score * 100) / 100;
  };
}

/** Returns the synonyms that appear in titles without their original words, at most three. */
export function synonymsIn(titles: readonly string[], concepts: readonly Concept[]): string[] {
  const used = new Map<string, number>();
  const expanded = concepts.flatMap((concept) => [concept, ...concept.parts]);
  for (const title of titles) {
    const words = plainWords(fold(title));
    for (const concept of expanded) {
      const own = patternsOf(concept).filter(({ fit }) => fit === fits.typed);
      if (own.some((pattern) => placeIn(words, pattern.words) >= 0)) continue;
      for (const synonym of [...concept.synonyms, ...concept.related])
        if (placeIn(words, plainWords(synonym)) >= 0)
          used.set(synonym, (used.get(synonym) ?? 0) + 1);
    }
  }
  return [...used]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([synonym]) => synonym);
}

function placeIn(title: string[], words: string[]): number {
  return title.findIndex((_, at) => words.every((word, index) => title[at + index] === word));
}

/**
 * Returns the concept that names the product: `dice` in `dice for kids`, `case` in `phone case`.
 */
export function headOf(concepts: readonly Concept[]): Concept | undefined {
  const cut = concepts.findIndex(
    ({ typed }, index) => index > 0 && beforePurpose.has(typed[0] ?? ''),
  );
  const wanted = concepts.slice(0, cut < 0 ? undefined : cut);
  return wanted.findLast((concept) => !isAttribute(concept)) ?? wanted.at(-1);
}

function headScore(found: Found, place: number, name: string[], askedFor: Set<string>): number {
  if (!found.isInName) return 0;
  if (found.end >= place) return 2;
  const noun = name[place] ?? '';
  return accessories.has(noun) && !askedFor.has(noun) ? 0.4 : 1.2;
}

function placeOfHead(name: string[]): number {
  const place = name.findLastIndex((word) => !attributes.has(word) && !/\d/.test(word));
  // Units follow their number.
  const before = name[place - 1] ?? '';
  if (place > 1 && readMeasure(before, name[place])) return placeOfHead(name.slice(0, place - 1));
  return place < 0 ? name.length - 1 : place;
}

function isAttribute({ typed }: Concept): boolean {
  return typed.every((word, index) => {
    const isMeasure =
      readMeasure(word, typed[index + 1]) || readMeasure(typed[index - 1] ?? '', word);
    return isMeasure || /^\d+$/.test(word) || attributes.has(plainForm(word));
  });
}

function patternsOf({ typed, forms, bareForm, synonyms, related }: Concept): Pattern[] {
  const own = [typed.join(' '), ...forms, ...(bareForm === null ? [] : [bareForm])];
  const like = (texts: readonly string[], fit: number) =>
    texts.map((text) => ({ words: plainWords(text), fit }));
  return [
    ...like(own, fits.typed),
    // Longer synonyms are more specific: `front load washer` beats `washer` in a pressure washer.
    ...synonyms.flatMap((text) => like([text], fits.synonym + (text.split(' ').length - 1) / 100)),
    // Related words are listed with the most similar ones first.
    ...related.flatMap((text, index) => like([text], fits.related - index / 100)),
  ].filter(({ words }) => words.length > 0);
}

function find(
  concept: Concept,
  patterns: Map<Concept, Pattern[]>,
  title: string[],
  nameLength: number,
): Found | null {
  let best: Found | null = null;
  const take = (found: Found) => {
    if (best === null || rankOf(found) > rankOf(best)) best = found;
  };
  for (const { words, fit } of patterns.get(concept) ?? patternsOf(concept)) {
    for (let at = title.length - words.length; at >= 0; at--) {
      if (!words.every((word, index) => title[at + index] === word)) continue;
      const end = at + words.length - 1;
      take({ fit, isInName: end < nameLength, end });
    }
  }
  const parts = concept.parts.map((part) => find(part, patterns, title, nameLength));
  const all = parts.filter((found) => found !== null);
  if (parts.length > 0 && all.length === parts.length) {
    take({
      fit: Math.min(...all.map(({ fit }) => fit)),
      isInName: all.every(({ isInName }) => isInName),
      end: Math.max(...all.map(({ end }) => end)),
    });
  }
  return best;
}

function rankOf({ isInName, fit, end }: Found): number {
  return (isInName ? 1_000 : 0) + end + fit / 2;
}
