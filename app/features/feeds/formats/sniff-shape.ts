import { Parser } from 'htmlparser2';
import { type FeedField, type FieldSources, plainFieldName } from './feed-fields.ts';

/**
 * The structure at the beginning of a feed: its names, and its repeating elements, with the most
 * likely products first.
 */
export interface SeenShape {
  /** Normalized names of elements, attributes and keys, both alone and with their parent. */
  names: ReadonlySet<string>;
  places: string[];
}

interface Place {
  depth: number;
  count: number;
  /** Names one level deeper, and paths two levels deeper. */
  parts: Set<string>;
}

/** The maximum depth of products; anything deeper is skipped. */
const deepest = 32;
/** A document nested more deeply is not a feed, so the rest of it is not read. */
const tooDeep = 1_000;
const mostPlaces = 500;
const mostParts = 300;

/** Counts elements by path, and guesses which ones are products. */
function placeCounter(sources: FieldSources) {
  const names = new Set<string>();
  const places = new Map<string, Place>();
  return {
    names,
    enter(path: string, depth: number): void {
      const place = places.get(path) ?? { depth, count: 0, parts: new Set<string>() };
      place.count++;
      if (places.size < mostPlaces) places.set(path, place);
    },
    part(path: string, name: string): void {
      const place = places.get(path);
      if (place && place.parts.size < mostParts) place.parts.add(plainFieldName(name));
    },
    places(): string[] {
      const judged = [...places]
        .filter(([, { parts }]) => parts.size >= 2)
        .map(([path, place]) => ({ path, ...place, score: scoreOf(path, place, sources) }));
      return judged
        .toSorted((a, b) => b.score - a.score || a.depth - b.depth || b.parts.size - a.parts.size)
        .map(({ path }) => path)
        .slice(0, 20);
    },
  };
}

const telling: FeedField[] = [
  'title',
  'deal_url',
  'sale_price',
  'original_price',
  'image_url',
  'external_id',
];

/**
 * Scores how likely elements are products: a product has a title, a link and a price. If no names
 * are known, repetition decides.
 */
function scoreOf(path: string, { parts, count, depth }: Place, sources: FieldSources): number {
  const fields = new Set(
    [...parts].flatMap((part) => (sources.get(part) ?? []).map((s) => s.field)),
  );
  const found = telling.filter((field) => fields.has(field)).length;
  const isProduct = fields.has('title') && found >= 3;
  // Keys may have any name, so a list is a better guess; a single key proves nothing.
  const doubt = path.endsWith(anyKey) ? (count > 1 ? 11 : 30) : depth === 0 ? 5 : 0;
  return (isProduct ? 100 + found : 0) + (count > 1 ? 10 : 0) - doubt;
}

export function sniffXml(head: string, sources: FieldSources): SeenShape {
  const counter = placeCounter(sources);
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const local = tag.slice(tag.indexOf(':') + 1);
        // The parser's time per element grows with the depth.
        if (open.length >= tooDeep) return parser.pause();
        if (open.length >= deepest) return void open.push(local);
        const above = open.join('/');
        open.push(local);
        const path = open.join('/');
        counter.names.add(plainFieldName(local));
        counter.enter(path, open.length - 1);
        counter.part(above, tag);
        counter.part(open.slice(0, -2).join('/'), open.slice(-2).join('/'));
        for (const name in attributes) {
          counter.names.add(plainFieldName(`${local}@${name}`));
          if (!name.startsWith('xmlns')) counter.part(path, `@${name}`);
        }
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(head);
  return { names: counter.names, places: counter.places() };
}

/** The location of a document that is itself the product. */
export const wholeDocument = '.';

/** Represents the keys of an object whose values are the products. */
export const anyKey = '*';

/** Parses a JSON document that may be truncated. */
export function sniffJson(head: string, sources: FieldSources): SeenShape {
  const counter = placeCounter(sources);
  const open: { isList: boolean; key: string; place: string | null }[] = [];
  let key = '';
  const keysOf = (depth: number) =>
    open
      .slice(1, depth)
      .map((one) => one.key)
      .filter(Boolean);
  for (const [token] of head.matchAll(/"(?:[^"\\]|\\.)*(?:"\s*:?|$)|[{}[\]]/g)) {
    const top = open.at(-1);
    if (open.length >= deepest && !/^[}\]]/.test(token)) {
      if (/^[{[]/.test(token)) open.push({ isList: token === '[', key: '', place: null });
    } else if (token === '{' || token === '[') {
      open.push({ isList: token === '[', key: top?.isList === false ? key : '', place: null });
      const own = open.at(-1);
      const isRecord = token === '{' && (top === undefined || top.isList);
      if (own && isRecord) {
        own.place = top === undefined ? wholeDocument : keysOf(open.length).join('/');
        counter.enter(own.place, open.length - 1);
      } else if (own && token === '{' && !open.some(({ isList }) => isList)) {
        own.place = [...keysOf(open.length - 1), anyKey].join('/');
        counter.enter(own.place, open.length - 1);
      }
      key = '';
    } else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':') && top && !top.isList) {
      key = token.slice(1, token.lastIndexOf('"'));
      const at = open.findLastIndex(({ place }) => place !== null);
      const path = [...open.slice(at + 1).map((one) => one.key), key].filter(Boolean);
      const place = open[at]?.place;
      counter.names.add(plainFieldName(key));
      counter.names.add(plainFieldName(path.join('/')));
      if (place != null) counter.part(place, path.join('/'));
    }
  }
  return { names: counter.names, places: counter.places() };
}
