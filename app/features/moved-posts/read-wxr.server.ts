import { type Handler, Parser } from 'htmlparser2';
import {
  decodeFeed,
  unpackFeed,
  type FeedSizeLimits,
} from '#app/features/feeds/formats/decode-feed.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { isOfferField } from './offer-fields.ts';
import type { WxrItem } from './wxr-item.ts';

interface WxrSite {
  /** The URL of the old site. */
  url: string | null;
  /** Display names by login. */
  authors: Map<string, string>;
  hasReplacements: boolean;
}

/** characters in a text; a post may have 200 kB after cleaning */
const longestText = 1_500_000;
const longestShort = 4_000;
/**
 * characters in an unfinished tag, comment or CDATA section; limits the memory for a malformed
 * export
 */
const largestUnfinished = 16 * 1024 * 1024;
const deepest = 32;
const mostAuthors = 10_000;
const mostTerms = 200;
const notWordPress = 'this file is not a WordPress export (Tools, Export in WordPress)';

const texts: Record<string, keyof WxrItem> = {
  title: 'title',
  link: 'link',
  guid: 'guid',
  pubDate: 'published',
  'dc:creator': 'creator',
  'content:encoded': 'content',
  'excerpt:encoded': 'excerpt',
  'wp:post_id': 'id',
  'wp:post_name': 'name',
  'wp:status': 'status',
  'wp:post_type': 'type',
  'wp:post_password': 'password',
  'wp:post_date': 'date',
  'wp:post_date_gmt': 'dateGmt',
  'wp:attachment_url': 'attachmentUrl',
};

/**
 * Reads a WordPress export as a stream, so that its size does not matter. Declarations are rejected
 * and no entities are defined, so nothing is expanded or fetched. `site` is complete after the last
 * item.
 */
export async function* readWxr(
  source: AsyncIterable<Uint8Array>,
  limits: FeedSizeLimits,
  site: WxrSite,
): AsyncGenerator<WxrItem> {
  const decoded = await decodeFeed(unpackFeed(source, limits));
  const reader = new WxrReader(site);
  for await (const chunk of decoded.text) {
    reader.write(chunk);
    yield* reader.items.splice(0);
  }
  reader.end();
  site.hasReplacements = decoded.hasReplacements;
}

const newItem = (): WxrItem => ({
  type: '',
  title: '',
  link: '',
  guid: '',
  id: '',
  name: '',
  status: '',
  password: '',
  creator: '',
  date: '',
  dateGmt: '',
  published: '',
  content: '',
  excerpt: '',
  attachmentUrl: '',
  alt: '',
  thumbnailId: '',
  categories: [],
  tags: [],
  terms: [],
  fields: new Map(),
  comments: 0,
  isTooLong: false,
});

class WxrReader implements Partial<Handler> {
  /** Completed items that have not been consumed yet. */
  readonly items: WxrItem[] = [];
  readonly #parser = new Parser(this, { xmlMode: true, decodeEntities: true });
  readonly #site: WxrSite;
  readonly #open: string[] = [];
  #item: WxrItem | null = null;
  #text = '';
  #domain = '';
  #meta = { key: '', value: '' };
  #author = { login: '', name: '' };
  #isWordPress = false;
  #written = 0;
  #seenUpTo = 0;
  #isEnding = false;

  constructor(site: WxrSite) {
    this.#site = site;
  }

  write(chunk: string): void {
    this.#parser.write(chunk);
    this.#written += chunk.length;
    if (this.#written - this.#seenUpTo > largestUnfinished)
      throw new FeedError('an element of the file is never closed');
  }

  end(): void {
    this.#isEnding = true;
    const unclosed = this.#open.length > 0;
    this.#parser.end();
    if (!this.#isWordPress) throw new FeedError(notWordPress);
    if (unclosed) throw new FeedError('the file is cut off: it ends in the middle');
  }

  onopentag(tag: string, attributes: Record<string, string>): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (this.#open.length === 0 && tag !== 'rss') throw new FeedError(notWordPress);
    this.#open.push(tag);
    if (this.#open.length > deepest) throw new FeedError('elements are nested too deep');
    this.#text = '';
    if (tag === 'item' && this.#open.length === 3) this.#item = newItem();
    if (tag === 'category') this.#domain = attributes.domain ?? 'category';
    if (tag === 'wp:postmeta') this.#meta = { key: '', value: '' };
    if (tag === 'wp:author') this.#author = { login: '', name: '' };
    if (tag === 'wp:comment' && this.#item) this.#item.comments++;
  }

  ontext(text: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    const isLong = this.#open.at(-1) === 'content:encoded';
    const room = (isLong ? longestText : longestShort) - this.#text.length;
    if (isLong && text.length > room && this.#item) this.#item.isTooLong = true;
    if (room > 0) this.#text += text.slice(0, room);
  }

  onclosetag(tag: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (this.#isEnding) return;
    const depth = this.#open.length;
    this.#open.pop();
    const text = this.#text.trim();
    this.#text = '';
    if (tag === 'wp:wxr_version') this.#isWordPress = true;
    const item = this.#item;
    if (!item) return this.#closeOutside(tag, depth, text);
    if (tag === 'item' && depth === 3) {
      this.items.push(item);
      this.#item = null;
    } else if (depth === 4) this.#closeInside(item, tag, text);
    else if (depth === 5 && tag === 'wp:meta_key') this.#meta.key = text;
    else if (depth === 5 && tag === 'wp:meta_value') this.#meta.value = text;
  }

  onprocessinginstruction(name: string, text: string): void {
    this.#seenUpTo = this.#parser.endIndex;
    if (!name.startsWith('!')) return;
    throw new FeedError(
      /^!doctype\s+html/i.test(text)
        ? notWordPress
        : `the file declares <${name.slice(0, 20)}>, which is refused`,
    );
  }

  oncomment(): void {
    this.#seenUpTo = this.#parser.endIndex;
  }

  #closeOutside(tag: string, depth: number, text: string): void {
    if (depth === 3 && (tag === 'wp:base_blog_url' || (tag === 'link' && !this.#site.url)))
      this.#site.url = text;
    if (tag === 'wp:author_login') this.#author.login = text;
    if (tag === 'wp:author_display_name') this.#author.name = text;
    const { authors } = this.#site;
    if (tag === 'wp:author' && authors.size < mostAuthors)
      authors.set(this.#author.login, this.#author.name);
  }

  #closeInside(item: WxrItem, tag: string, text: string): void {
    const field = texts[tag];
    if (field !== undefined) Object.assign(item, { [field]: text });
    if (tag === 'wp:post_type') this.#isWordPress = true;
    if (tag === 'wp:postmeta' && this.#meta.key === '_thumbnail_id')
      item.thumbnailId = this.#meta.value;
    if (tag === 'wp:postmeta' && isOfferField(this.#meta.key) && !item.fields.has(this.#meta.key))
      item.fields.set(this.#meta.key, this.#meta.value);
    if (tag === 'wp:postmeta' && this.#meta.key === '_wp_attachment_image_alt')
      item.alt = this.#meta.value;
    if (tag !== 'category' || text === '') return;
    if (this.#domain !== 'post_tag' && this.#domain !== 'category') {
      const term = { taxonomy: this.#domain, name: text };
      if (item.terms.length < mostTerms) item.terms.push(term);
      return;
    }
    const into = this.#domain === 'post_tag' ? item.tags : item.categories;
    if (into.length < mostTerms) into.push(text);
  }
}
