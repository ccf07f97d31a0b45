import { type Handler, Parser } from 'htmlparser2';
import { FeedError } from './feed-error.ts';
import { cutCell, type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { mostRawCells, hasContent } from './find-columns.ts';
import { rowFinisher } from './finish-row.ts';
import { addText, categoryLookup } from './xml-categories.ts';
import { sideOf, sourcesFor, useOldPrice } from './price-names.ts';
import { localName, notePrefixes, prefixOf } from './xml-names.ts';

const deepest = 32;
const largestItem = 256 * 1024;
const tooLarge = 'larger than 256 KB';
const takesMarkup: ReadonlySet<string> = new Set(['title', 'description', 'image_url']);
/** The maximum number of cached names: a feed has dozens, an attack may have any number. */
const mostNames = 5_000;
/**
 * The maximum size of an unfinished tag, comment or CDATA section, outside and inside a product.
 */
const largestUnfinished = [2 * largestItem, 64 * largestItem] as const;

interface Item {
  row: FeedRow;
  tag: string;
  start: number;
  /** Open elements inside the item, outermost first, each with the start of its text. */
  open: { path: string; from: number; isBox?: boolean }[];
  /** The prefix of its elements' names, if any. */
  prefix: string;
  ranks: Partial<Record<string, number>>;
  /** Values that the mapping reads in addition to its fields. */
  parts: Map<string, string>;
  /** The number of values shown to the user so far. */
  shown: number;
  text: string;
  /** The value of an element called "price", and of an element that can only be an old price. */
  plainPrice?: string;
  oldPrice?: string;
  /** Whether the old price cannot be the current one. */
  isOldOnly?: boolean;
}

interface XmlShape {
  sources: FieldSources;
  /** The elements of products, given by name or by path from the root. */
  items: readonly string[];
  keepRaw: boolean;
  format: MappingFile;
}

/**
 * Reads an XML product feed, such as Google's in RSS 2.0 (`<item>`) or Atom (`<entry>`), one row
 * per product. The parser tolerates errors that occur in merchants' feeds, so they are detected
 * here. An unclosed element makes its product a problem row. If the feed ends inside a product, an
 * error follows all complete rows.
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

/** An element or attribute inside a product: its name, and its rank relative to Google's names. */
interface Named {
  plain: string;
  handicap: number;
}

class XmlReader implements Partial<Handler> {
  /** Complete products that have not been consumed yet. */
  readonly rows: FeedRow[] = [];
  readonly #parser = new Parser(this, { xmlMode: true, decodeEntities: true });
  readonly #shape: XmlShape;
  readonly #paths: readonly string[][];
  readonly #categories: ReturnType<typeof categoryLookup> | null;
  readonly #finisher: ReturnType<typeof rowFinisher>;
  readonly #googlePrefixes = new Map<string, boolean>();
  readonly #known = new Map<string, Named>();
  readonly #openElements: string[] = [];
  #item: Item | null = null;
  #category: { values: Record<string, string>; text: string; inside: string | null } | null = null;
  #root = '';
  #items = 0;
  #line = 1;
  #written = 0;
  #seenUpTo = 0;
  #isEnding = false;
  /** The position after the last opening tag. */
  #openedAt = -1;

  constructor(shape: XmlShape) {
    this.#shape = shape;
    this.#paths = shape.items.filter((item) => item.includes('/')).map((item) => item.split('/'));
    const { categories } = shape.format;
    this.#categories = categories ? categoryLookup(categories) : null;
    this.#finisher = rowFinisher(shape.format, shape.sources);
  }

  /** Accepts a piece of text, at most to the end of a line. */
  write(piece: string): void {
    // Before the first element, all text is checked for declarations before it reaches the parser.
    if (this.#root === '') refuseDeclarations(piece.replace(unfinishedDoctype, ''));
    this.#parser.write(piece);
    this.#written += piece.length;
    if (piece.endsWith('\n')) this.#line++;
    if (this.#written - this.#seenUpTo > largestUnfinished[this.#item ? 1 : 0]) {
      throw new FeedError(`an element that begins before line ${this.#line} is never closed`);
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
    this.#openedAt = this.#parser.endIndex;
    notePrefixes(attributes, this.#googlePrefixes);
    if (this.#isProduct(localName(tag))) this.#begin(tag, attributes);
    else if (this.#item) this.#openInside(this.#item, tag, attributes);
    else if (this.#category) this.#category.inside = localName(tag);
    else if (localName(tag) === this.#shape.format.categories?.item) {
      this.#category = { values: { ...attributes }, text: '', inside: null };
    }
    if (this.#openElements.length > deepest) {
      throw new FeedError(`elements are nested deeper than ${deepest} at line ${this.#line}`);
    }
  }

  ontext(text: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    const item = this.#item;
    if (!item && this.#category) addText(this.#category, text.slice(0, 500));
    if (!item || item.row.problem !== undefined) return;
    if (this.#parser.endIndex - item.start > largestItem) {
      item.row.problem = tooLarge;
      item.text = '';
      const { external_id } = item.row.values;
      item.row.values = external_id ? { external_id } : {};
    } else if (item.open.length > 0) item.text += text;
  }

  onclosetag(_tag: string, isNotSaid: boolean): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (this.#isEnding) return;
    // The parser also reports a self-closing element such as `<brand/>` as implied.
    const isImplied = isNotSaid && this.#openedAt !== this.#parser.endIndex;
    const tag = this.#openElements.pop() ?? '';
    const item = this.#item;
    if (!item) {
      const category = this.#category;
      if (category && category.inside !== null) return void (category.inside = null);
      if (category) this.#categories?.add(category.values, category.text);
      this.#category = null;
      return;
    }
    const closed = item.open.pop();
    if (closed === undefined) {
      this.#finish(item, isImplied ? `<${tag}> is not closed` : undefined);
      this.#item = null;
      return;
    }
    if (isImplied && item.open.length === 0) item.row.problem ??= `<${tag}> is not closed`;
    this.#keep(item, closed.path, item.text.slice(closed.from), closed.isBox);
    if (item.open.length === 0) item.text = '';
  }

  onprocessinginstruction(name: string, text: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (name.startsWith('!')) refuseDeclarations(`<${text}>`);
  }

  oncomment(): void {
    this.#seenUpTo = this.#parser.endIndex;
  }

  #isProduct(local: string): boolean {
    if (this.#shape.items.includes(local)) return true;
    return this.#paths.some(
      (path) =>
        path.length === this.#openElements.length &&
        path.at(-1) === local &&
        path.every((name, depth) => localName(this.#openElements[depth] ?? '') === name),
    );
  }

  #begin(tag: string, attributes: Record<string, string>): void {
    // Content after an unclosed product belongs to the next one.
    if (this.#item) this.#finish(this.#item, `<${this.#item.tag}> is not closed`);
    this.#items++;
    const row = { line: this.#line, values: {}, ...(this.#shape.keepRaw && { raw: {} }) };
    const start = this.#parser.startIndex;
    this.#item = {
      row,
      tag,
      start,
      open: [],
      ranks: {},
      parts: new Map(),
      text: '',
      prefix: prefixOf(tag),
      shown: 0,
    };
    this.#keepAttributes(this.#item, '', attributes);
  }

  #openInside(item: Item, tag: string, attributes: Record<string, string>): void {
    const box = item.open.at(-1);
    if (box) box.isBox = true;
    const above = box?.path;
    const { href, rel = 'alternate', name, key } = attributes;
    const said = name ?? key;
    const step = said === undefined ? tag : `${tag}[${said.slice(0, 80).replaceAll('/', ' ')}]`;
    const path = above === undefined ? step : `${above}/${step}`;
    item.open.push({ path, from: item.text.length });
    const plain = above === undefined ? tag : `${above}/${tag}`;
    if (localName(tag) === 'link' && href !== undefined && rel === 'alternate') {
      this.#keep(item, 'link', href);
    }
    this.#keepAttributes(item, plain, attributes);
  }

  #keepAttributes(item: Item, path: string, attributes: Record<string, string>): void {
    for (const name in attributes) {
      if (name.startsWith('xmlns')) continue;
      this.#keep(item, `${path}@${name}`, attributes[name] ?? '');
    }
  }

  #finish({ row, ...item }: Item, unclosed?: string): void {
    const { values } = row;
    const sale = values.sale_price;
    if (sale === undefined || !hasContent('sale_price', sale)) {
      const { plainPrice: plain, oldPrice: old, isOldOnly = false } = item;
      useOldPrice(values, { plain, old, isOldOnly });
    }
    if (values.category !== undefined && this.#categories) {
      values.category = this.#categories.pathOf(values.category);
    }
    if (values.deal_url !== undefined) values.external_id ??= values.deal_url;
    if (!this.#finisher.finish(row, item)) return;
    const found = row.problem ?? unclosed;
    const problem = `the product cannot be read: ${found}`;
    this.rows.push(found === undefined ? row : { ...row, problem });
  }

  #keep(item: Item, path: string, value: string, isBox = false): void {
    const text = value.trim();
    if (text === '' || item.row.problem === tooLarge) return;
    if (item.row.raw && ++item.shown <= mostRawCells)
      item.row.raw[path.slice(0, 200)] ??= text.slice(0, 300);
    const { plain, handicap } = this.#nameOf(path, item.prefix);
    if (this.#finisher.names.has(plain) && !item.parts.has(plain)) item.parts.set(plain, text);
    for (const { field, rank } of sourcesFor(this.#shape.sources, plain)) {
      // The concatenated text of nested elements is not a number, name or link.
      if (isBox && !takesMarkup.has(field)) continue;
      const order = rank * 10 + handicap + (hasContent(field, text) ? 0 : 100_000);
      if (field === 'original_price') {
        const named = sideOf(plain);
        const side = named === 'plain' ? 'plainPrice' : 'oldPrice';
        if (order < (item.ranks[side] ?? Infinity)) {
          item.ranks[side] = order;
          item[side] = cutCell(field, text);
          if (side === 'oldPrice') item.isOldOnly = named === 'oldOnly';
        }
      }
      if (order >= (item.ranks[field] ?? Infinity)) continue;
      item.ranks[field] = order;
      item.row.values[field] = cutCell(field, text);
    }
  }

  #nameOf(path: string, own: string): Named {
    const known = this.#known.get(path);
    if (known) return known;
    const isGoogle = (prefix: string) =>
      prefix === 'g' || (this.#googlePrefixes.get(prefix) ?? prefix !== '');
    const steps = path.split('/').map((step) => {
      const prefix = prefixOf(step);
      const isLocal = prefix === own || isGoogle(prefix);
      return { prefix, name: isLocal ? step.slice(prefix === '' ? 0 : prefix.length + 1) : step };
    });
    // Google's element is preferred to the plain one of RSS or Atom, and an element to an attribute
    // of the same name.
    const handicap =
      (isGoogle(steps.at(-1)?.prefix ?? '') ? 0 : 10_000) + (path.includes('@') ? 5 : 0);
    const named = { plain: plainFieldName(steps.map(({ name }) => name).join('/')), handicap };
    // The user saw this name with its prefix when choosing it.
    const whole = plainFieldName(path);
    if (this.#shape.sources.has(whole)) named.plain = whole;
    if (this.#known.size < mostNames) this.#known.set(path, named);
    return named;
  }
}

/**
 * A declaration that is split between chunks and checked once it is complete, when the parser
 * reports it.
 */
const unfinishedDoctype = /<!DOCTYPE[^>]*$/i;

/** The doctype of every older YML file, which declares nothing. Nothing is fetched. */
const ymlDoctype = /<!DOCTYPE\s+yml_catalog\s+SYSTEM\s+["'][\w.]{1,40}["']\s*>/i;

/** Rejects declarations, which an entity bomb needs and a product feed does not contain. */
export function refuseDeclarations(text: string): void {
  const found = /<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.exec(
    text.replace(ymlDoctype, ''),
  )?.[1];
  if (found === undefined) return;
  if (/<!DOCTYPE\s+html/i.test(text)) throw new FeedError('this is a web page, not a product feed');
  throw new FeedError(
    `the feed declares <!${found.toUpperCase()}>, which is refused: it can expand a small file to an enormous size`,
  );
}
