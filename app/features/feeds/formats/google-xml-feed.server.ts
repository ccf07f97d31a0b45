import { Parser } from 'htmlparser2';
import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';

const deepest = 32;
const largestItem = 256 * 1024;
const tooLarge = 'larger than 256 KB';
/** What the parser may hold of one unfinished tag, comment or CDATA section. */
const largestUnfinished = 2 * largestItem;

interface Item {
  tag: string;
  line: number;
  start: number;
  /** Open elements inside the item, outermost first. */
  open: string[];
  values: FeedRow['values'];
  ranks: Partial<Record<string, number>>;
  text: string;
  problem: string | undefined;
  raw: Record<string, string> | undefined;
}

/**
 * Google's product feed as RSS 2.0 (`<item>`) or Atom (`<entry>`), a row per product. The parser forgives what
 * merchants really send, so what it forgives in silence is looked for here: an element that nobody closed makes
 * its product a problem row, an end in the middle an error after all rows that came whole.
 */
export async function* readGoogleXml(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  keepRaw = false,
): AsyncGenerator<FeedRow> {
  const rows: FeedRow[] = [];
  const googlePrefixes = new Map<string, boolean>();
  let item: Item | null = null;
  let root = '';
  const openElements: string[] = [];
  let items = 0;
  let line = 1;
  let written = 0;
  let seenUpTo = 0;
  let isEnding = false;

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        seenUpTo = parser.endIndex;
        root ||= tag;
        openElements.push(tag);
        notePrefixes(attributes, googlePrefixes);
        const local = localName(tag);
        if (local === 'item' || local === 'entry') {
          // What stands after an unclosed product belongs to the next one.
          if (item) rows.push(finish(item, `<${item.tag}> is not closed`));
          item = {
            tag,
            line,
            start: parser.startIndex,
            open: [],
            values: {},
            ranks: {},
            text: '',
            problem: undefined,
            raw: keepRaw ? {} : undefined,
          };
          items++;
        } else if (item) {
          item.open.push(tag);
          if (item.open.length === 1) item.text = '';
          if (local === 'link' && attributes.href !== undefined) keepLink(item, attributes);
        }
        if (openElements.length > deepest) {
          throw new FeedError(`elements are nested deeper than ${deepest} at line ${line}`);
        }
      },
      ontext(text) {
        seenUpTo = parser.endIndex;
        if (!item || item.problem !== undefined) return;
        if (parser.endIndex - item.start > largestItem) {
          item.problem = tooLarge;
          item.text = '';
          item.values = item.values.external_id ? { external_id: item.values.external_id } : {};
        } else if (item.open.length > 0) item.text += text;
      },
      onclosetag(tag, isImplied) {
        seenUpTo = parser.endIndex;
        if (isEnding) return;
        openElements.pop();
        if (!item) return;
        const opened = item.open.pop();
        if (opened === undefined) {
          rows.push(finish(item, isImplied ? `<${tag}> is not closed` : undefined));
          item = null;
          return;
        }
        if (item.open.length > 0) return;
        if (isImplied) item.problem ??= `<${tag}> is not closed`;
        keep(item, tag, item.text);
        item.text = '';
      },
      onprocessinginstruction(name) {
        seenUpTo = parser.endIndex;
        if (name.startsWith('!')) refuseDeclarations(`<${name}`);
      },
      oncomment() {
        seenUpTo = parser.endIndex;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );

  function finish(done: Item, problem?: string): FeedRow {
    const found = done.problem ?? problem;
    return {
      line: done.line,
      values: done.values,
      ...(found === undefined ? {} : { problem: `the product cannot be read: ${found}` }),
      ...(done.raw ? { raw: done.raw } : {}),
    };
  }

  function keep(into: Item, tag: string, value: string): void {
    const text = value.trim();
    if (text === '' || into.problem === tooLarge) return;
    if (into.raw) into.raw[tag] ??= text.slice(0, 300);
    const colon = tag.indexOf(':');
    const prefix = colon === -1 ? '' : tag.slice(0, colon);
    const isGoogle = prefix === 'g' || (googlePrefixes.get(prefix) ?? prefix !== '');
    if (prefix !== '' && !isGoogle) return;
    for (const { field, rank } of sources.get(plainFieldName(localName(tag))) ?? []) {
      // Google's own element goes before the plain one of RSS or Atom.
      const order = isGoogle ? rank : rank + 100;
      if (order >= (into.ranks[field] ?? Infinity)) continue;
      into.ranks[field] = order;
      into.values[field] = text;
    }
  }

  function keepLink(into: Item, attributes: Record<string, string>): void {
    if ((attributes.rel ?? 'alternate') === 'alternate') keep(into, 'link', attributes.href ?? '');
  }

  for await (const chunk of chunks) {
    for (const piece of chunk.split(/(?<=\n)/)) {
      // Before the first element nothing is parsed that could declare something.
      if (root === '') refuseDeclarations(piece);
      parser.write(piece);
      written += piece.length;
      if (piece.endsWith('\n')) line++;
      if (written - seenUpTo > largestUnfinished) {
        throw new FeedError(`something that never ends begins before line ${line}`);
      }
    }
    yield* rows.splice(0);
  }
  isEnding = true;
  const unclosed = openElements[0];
  const unfinished = item as Item | null;
  parser.end();
  if (unfinished) {
    throw new FeedError(`the feed ends in the middle of an item at line ${unfinished.line}`);
  }
  if (root === '') throw new FeedError('the feed is no XML: it has no element');
  if (items === 0) {
    throw new FeedError(
      `no products were found: the XML has no <item> or <entry>, its root is <${root.slice(0, 60)}>`,
    );
  }
  if (unclosed !== undefined) {
    throw new FeedError(
      `the feed is cut off: it ends at line ${line} before </${unclosed.slice(0, 60)}>`,
    );
  }
}

/** An entity bomb needs a declaration; no product feed does. */
export function refuseDeclarations(text: string): void {
  const found = /<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.exec(text)?.[1];
  if (found === undefined) return;
  if (/<!DOCTYPE\s+html/i.test(text)) throw new FeedError('this is a web page, not a product feed');
  throw new FeedError(
    `the feed declares <!${found.toUpperCase()}>, which is refused: it can make a small file explode`,
  );
}

function notePrefixes(attributes: Record<string, string>, into: Map<string, boolean>): void {
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    if (into.size < 100)
      into.set(name.slice(6), /base\.google\.com\/c?ns\//.test(attributes[name] ?? ''));
  }
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}
