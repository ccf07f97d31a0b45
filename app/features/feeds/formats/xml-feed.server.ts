import { type Handler, Parser } from 'htmlparser2';
import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';

const deepest = 32;
const largestItem = 256 * 1024;
const tooLarge = 'larger than 256 KB';
/** What the parser may hold of one unfinished tag, comment or CDATA section. */
const largestUnfinished = 2 * largestItem;

interface Item {
  row: FeedRow;
  tag: string;
  start: number;
  /** Open elements inside the item, outermost first. */
  open: string[];
  ranks: Partial<Record<string, number>>;
  text: string;
}

interface XmlShape {
  sources: FieldSources;
  /** Elements that hold a product each. */
  items: readonly string[];
  keepRaw: boolean;
}

/**
 * A product feed in XML, such as Google's as RSS 2.0 (`<item>`) or Atom (`<entry>`), a row per product. The parser
 * forgives what merchants really send, so what it forgives in silence is looked for here: an element that nobody closed
 * makes its product a problem row, an end in the middle an error after all rows that came whole.
 */
export async function* readXml(
  chunks: AsyncIterable<string>,
  shape: XmlShape,
): AsyncGenerator<FeedRow> {
  const reader = new XmlReader(shape);
  for await (const chunk of chunks) {
    for (const piece of chunk.split(/(?<=\n)/)) reader.write(piece);
    yield* reader.rows.splice(0);
  }
  reader.end();
}

class XmlReader implements Partial<Handler> {
  /** Products that came whole since somebody took them last. */
  readonly rows: FeedRow[] = [];
  readonly #parser = new Parser(this, { xmlMode: true, decodeEntities: true });
  readonly #shape: XmlShape;
  readonly #googlePrefixes = new Map<string, boolean>();
  readonly #openElements: string[] = [];
  #item: Item | null = null;
  #root = '';
  #items = 0;
  #line = 1;
  #written = 0;
  #seenUpTo = 0;
  #isEnding = false;

  constructor(shape: XmlShape) {
    this.#shape = shape;
  }

  /** Takes text up to the end of a line at most. */
  write(piece: string): void {
    // Before the first element nothing is parsed that could declare something.
    if (this.#root === '') refuseDeclarations(piece);
    this.#parser.write(piece);
    this.#written += piece.length;
    if (piece.endsWith('\n')) this.#line++;
    if (this.#written - this.#seenUpTo > largestUnfinished) {
      throw new FeedError(`something that begins before line ${this.#line} never ends`);
    }
  }

  end(): void {
    this.#isEnding = true;
    const unclosed = this.#openElements[0];
    const unfinished = this.#item;
    this.#parser.end();
    if (unfinished) {
      throw new FeedError(`the feed ends in the middle of an item at line ${unfinished.row.line}`);
    }
    const root = this.#root.slice(0, 60);
    if (root === '') throw new FeedError('this is not XML: it has no element');
    if (this.#items === 0) {
      const wanted = this.#shape.items.map((tag) => `<${tag}>`).join(' or ');
      throw new FeedError(
        `no products were found: the XML has no ${wanted}, its root is <${root}>`,
      );
    }
    if (unclosed !== undefined) {
      throw new FeedError(
        `the feed is cut off: it ends at line ${this.#line} before </${unclosed.slice(0, 60)}>`,
      );
    }
  }

  onopentag(tag: string, attributes: Record<string, string>): void {
    this.#seenUpTo = this.#parser.endIndex;
    this.#root ||= tag;
    this.#openElements.push(tag);
    notePrefixes(attributes, this.#googlePrefixes);
    const local = localName(tag);
    if (this.#shape.items.includes(local)) this.#begin(tag);
    else if (this.#item) {
      this.#item.open.push(tag);
      if (this.#item.open.length === 1) this.#item.text = '';
      const { href, rel = 'alternate' } = attributes;
      if (local === 'link' && href !== undefined && rel === 'alternate') {
        this.#keep(this.#item, 'link', href);
      }
    }
    if (this.#openElements.length > deepest) {
      throw new FeedError(`elements are nested deeper than ${deepest} at line ${this.#line}`);
    }
  }

  ontext(text: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    const item = this.#item;
    if (!item || item.row.problem !== undefined) return;
    if (this.#parser.endIndex - item.start > largestItem) {
      item.row.problem = tooLarge;
      item.text = '';
      const { external_id } = item.row.values;
      item.row.values = external_id ? { external_id } : {};
    } else if (item.open.length > 0) item.text += text;
  }

  onclosetag(tag: string, isImplied: boolean): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (this.#isEnding) return;
    this.#openElements.pop();
    const item = this.#item;
    if (!item) return;
    if (item.open.pop() === undefined) {
      this.#finish(item, isImplied ? `<${tag}> is not closed` : undefined);
      this.#item = null;
      return;
    }
    if (item.open.length > 0) return;
    if (isImplied) item.row.problem ??= `<${tag}> is not closed`;
    this.#keep(item, tag, item.text);
    item.text = '';
  }

  onprocessinginstruction(name: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (name.startsWith('!')) refuseDeclarations(`<${name}`);
  }

  oncomment(): void {
    this.#seenUpTo = this.#parser.endIndex;
  }

  #begin(tag: string): void {
    // What stands after an unclosed product belongs to the next one.
    if (this.#item) this.#finish(this.#item, `<${this.#item.tag}> is not closed`);
    this.#items++;
    const row = { line: this.#line, values: {}, ...(this.#shape.keepRaw && { raw: {} }) };
    const start = this.#parser.startIndex;
    this.#item = { row, tag, start, open: [], ranks: {}, text: '' };
  }

  #finish({ row }: Item, unclosed?: string): void {
    const found = row.problem ?? unclosed;
    const problem = `the product cannot be read: ${found}`;
    this.rows.push(found === undefined ? row : { ...row, problem });
  }

  #keep(item: Item, tag: string, value: string): void {
    const text = value.trim();
    if (text === '' || item.row.problem === tooLarge) return;
    if (item.row.raw) item.row.raw[tag] ??= text.slice(0, 300);
    const colon = tag.indexOf(':');
    const prefix = colon === -1 ? '' : tag.slice(0, colon);
    const isGoogle = prefix === 'g' || (this.#googlePrefixes.get(prefix) ?? prefix !== '');
    if (prefix !== '' && !isGoogle) return;
    for (const { field, rank } of this.#shape.sources.get(plainFieldName(localName(tag))) ?? []) {
      // Google's own element goes before the plain one of RSS or Atom.
      const order = isGoogle ? rank : rank + 100;
      if (order >= (item.ranks[field] ?? Infinity)) continue;
      item.ranks[field] = order;
      item.row.values[field] = text;
    }
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
