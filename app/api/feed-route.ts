import { redirect } from 'react-router';
import type { Route } from './+types/feed-route';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally, answerNotFound, answerPlain } from './answer-conditionally.server.ts';
import { readBlogFeed } from './blog-feed.server.ts';
import { type DealFeed, readDealFeed } from './deal-feed.server.ts';
import { writeJsonFeed, writeRss } from './write-feed.server.ts';

const formats = {
  xml: { type: 'application/rss+xml', write: writeRss },
  json: { type: 'application/feed+json', write: writeJsonFeed },
} as const;

/** Serves `/feeds/deals.xml`, `/feeds/deals.json`, `/feeds/blog.xml` and `/feeds/blog.json`. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const [, name, ending] = /^(deals|blog)\.(xml|json)$/.exec(params.name) ?? [];
  if (!name || (ending !== 'xml' && ending !== 'json')) return answerNotFound();
  const services = appServices(context);
  const { db, env } = services;
  const now = services.now();
  const settings = await readSiteSettings(db);
  const site = publicSite(settings, env.origin);
  const feed: DealFeed =
    name === 'blog'
      ? { ok: true, document: await readBlogFeed(db, site) }
      : await readDealFeed(db, new URL(request.url).searchParams, site, now);
  if (!feed.ok) return answerRefusal(feed, `/feeds/${name}.${ending}`);

  const { type, write } = formats[ending];
  const changed = feed.document.entries.map(({ changedAt }) => changedAt.getTime());
  // Filtered feeds are not published to the hub, so they do not name it.
  const hub = feed.document.query === '' ? settings.webSubHub || null : null;
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

function answerRefusal(feed: Extract<DealFeed, { ok: false }>, path: string): Response {
  if (feed.reason === 'moved') return redirect(`${path}${feed.query}`, 301);
  if (feed.reason === 'unknown') return answerNotFound();
  return answerPlain(
    400,
    'A feed filters by a search, or by category and merchant, but not by both.',
  );
}
