import { redirect } from 'react-router';
import type { Route } from './+types/feed-route';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally, answerNotFound, answerPlain } from './answer-conditionally.server.ts';
import { readBlogFeed } from './blog-feed.server.ts';
import { readEvidenceFeed } from './evidence-feed.server.ts';
import type { DealFeedName } from './deal-feed-kinds.server.ts';
import { type DealFeed, readDealFeed } from './deal-feed.server.ts';
import { writeCalendar } from './write-calendar.server.ts';
import { writeJsonFeed, writeRss } from './write-feed.server.ts';

const formats = {
  xml: { type: 'application/rss+xml', write: writeRss },
  json: { type: 'application/feed+json', write: writeJsonFeed },
  ics: { type: 'text/calendar', write: writeCalendar },
} as const;

type FeedName = DealFeedName | 'blog' | 'evidence';

/** The file extensions of each feed. */
const endings: Record<FeedName, readonly (keyof typeof formats)[]> = {
  deals: ['xml', 'json'],
  'price-drops': ['xml', 'json'],
  'ending-soon': ['xml', 'json', 'ics'],
  blog: ['xml', 'json'],
  evidence: ['xml', 'json'],
};

/**
 * The feeds that are published to the hub. Feeds of ending deals are not, since they change with
 * time alone.
 */
const published: ReadonlySet<FeedName> = new Set(['deals', 'price-drops', 'blog']);

/** Serves `/feeds/deals.xml`, `/feeds/ending-soon.ics` and the others of `endings`. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const file = parseName(params.name);
  if (!file) return answerNotFound();
  const { name, ending } = file;
  const services = appServices(context);
  const { db, env } = services;
  const now = services.now();
  const settings = await readSiteSettings(db);
  const site = publicSite(settings, env.origin);
  const readOwn = { blog: readBlogFeed, evidence: readEvidenceFeed };
  const feed: DealFeed =
    name === 'blog' || name === 'evidence'
      ? { ok: true, document: await readOwn[name](db, site) }
      : await readDealFeed(db, name, new URL(request.url).searchParams, site, now);
  if (!feed.ok) return answerRefusal(feed, `/feeds/${name}.${ending}`);

  const { type, write } = formats[ending];
  const changed = feed.document.entries.map(({ changedAt }) => changedAt.getTime());
  // Filtered feeds are not published to the hub, so they do not name it.
  const isPublished = feed.document.query === '' && published.has(name);
  const hub = isPublished ? settings.webSubHub || null : null;
  const text = write(feed.document, name, site, { now, hub });
  // Web-based feed readers fetch feeds from their own pages.
  const more: Record<string, string> = { 'access-control-allow-origin': '*' };
  if (hub !== null) {
    const self = `${env.origin}/feeds/${name}.${ending}`;
    more['link'] = `<${hub}>; rel="hub", <${self}>; rel="self"`;
  }
  if (changed.length > 0) more['last-modified'] = new Date(Math.max(...changed)).toUTCString();
  return answerConditionally(request, text, type, 300, more);
}

function parseName(file: string) {
  for (const name of ['deals', 'price-drops', 'ending-soon', 'blog', 'evidence'] as const) {
    const ending = endings[name].find((known) => file === `${name}.${known}`);
    if (ending) return { name, ending };
  }
  return null;
}

function answerRefusal(feed: Extract<DealFeed, { ok: false }>, path: string): Response {
  if (feed.reason === 'moved') return redirect(`${path}${feed.query}`, 301);
  if (feed.reason === 'unknown') return answerNotFound();
  return answerPlain(
    400,
    'The feed of deals filters by a search, or by category and merchant, but not by both. Other feeds have no search.',
  );
}
