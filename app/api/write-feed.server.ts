import { Feed, type Item } from 'feed';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { withoutForbidden } from '#app/platform/escape-xml.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';

type Site = Pick<PublicSite, 'name' | 'origin'>;

interface FeedFacts {
  now: Date;
  /** The WebSub hub that is notified of changes of this feed, or `null`. */
  hub: string | null;
}

/** Writes RSS 2.0. `name` is the feed's file name without its extension. */
export function writeRss(
  document: FeedDocument,
  name: string,
  site: Site,
  { now, hub }: FeedFacts,
): string {
  const changed = document.entries.map(({ changedAt }) => changedAt.getTime());
  const feed = new Feed({
    title: plain(document.title),
    description: plain(document.description),
    link: site.origin + document.homePath,
    feedLinks: { rss: `${site.origin}/feeds/${name}.xml${document.query}` },
    ...(hub !== null && { hub }),
    language: 'en',
    generator: false,
    // The time of an empty feed changes only once a day, so that its ETag is stable.
    updated: new Date(changed.length > 0 ? Math.max(...changed) : startOfDay(now)),
  });
  for (const entry of document.entries) feed.addItem(itemOf(entry, site.origin));
  return feed.rss2();
}

/**
 * Writes JSON Feed 1.1. The library supports only version 1.0, without languages and with one
 * author.
 */
export function writeJsonFeed(
  document: FeedDocument,
  name: string,
  site: Site,
  { hub }: Pick<FeedFacts, 'hub'>,
): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: document.title,
    description: document.description,
    home_page_url: site.origin + document.homePath,
    feed_url: `${site.origin}/feeds/${name}.json${document.query}`,
    hubs: hub === null ? undefined : [{ type: 'WebSub', url: hub }],
    icon: `${site.origin}/icon-512.png`,
    favicon: `${site.origin}/icon-192.png`,
    language: 'en',
    items: document.entries.map((entry) => ({
      id: site.origin + entry.permanentPath,
      url: site.origin + entry.path,
      title: entry.title,
      content_html: entry.html,
      summary: entry.summary ?? undefined,
      image: pictureAddress(entry.image, site.origin)?.href,
      date_published: entry.publishedAt.toISOString(),
      date_modified: entry.changedAt.toISOString(),
      authors: entry.author ? [{ name: entry.author }] : undefined,
      tags: entry.categories,
    })),
  });
}

function itemOf(entry: FeedEntry, origin: string): Item {
  const enclosure = enclosureOf(entry.image, origin);
  return {
    guid: origin + entry.permanentPath,
    link: origin + entry.path,
    title: plain(entry.title),
    published: entry.publishedAt,
    date: entry.changedAt,
    category: entry.categories.map((name) => ({ name: plain(name) })),
    ...(enclosure ? { enclosure } : {}),
    ...(entry.summary === null
      ? { description: withoutForbidden(entry.html) }
      : { description: plain(entry.summary), content: withoutForbidden(entry.html) }),
    // RSS requires an email address in its author element, so this uses `dc:creator`. The element's
    // namespace comes with `content`.
    ...(entry.author && entry.summary !== null
      ? { extensions: [{ name: 'dc:creator', objects: { _text: plain(entry.author) } }] }
      : {}),
  };
}

function startOfDay(now: Date): number {
  return new Date(now).setUTCHours(0, 0, 0, 0);
}

/** Escapes CDATA end marks, since the library escapes only the first one. */
function plain(text: string): string {
  return withoutForbidden(text).replaceAll(']]>', ']] >');
}

/** Readers rely on the type, so a picture of unknown type is left out. */
function enclosureOf(image: string | null, origin: string) {
  const url = pictureAddress(image, origin);
  const [, ending] = /\.(avif|gif|jpe?g|png|webp)$/.exec(url?.pathname.toLowerCase() ?? '') ?? [];
  const type = `image/${ending === 'jpg' ? 'jpeg' : ending}`;
  return url && ending ? { url: url.href, type, length: 0 } : null;
}

function pictureAddress(image: string | null, origin: string): URL | null {
  const url = image ? URL.parse(image, origin) : null;
  return url?.protocol.startsWith('http') ? url : null;
}
