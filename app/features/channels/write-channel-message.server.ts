import { type Selectable, sql } from 'kysely';
import { findPostById } from '#app/features/blog/blog-queries.server.ts';
import { conditionOf, liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { type DealDetail, findDealById } from '#app/features/deals/deal-queries.server.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { writeVerdict } from '#app/features/prices/price-verdict.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { findSharePicture } from '#app/features/share-pictures/find-share-picture.server.ts';
import { sharePicturePath } from '#app/features/share-pictures/share-card.server.ts';
import { dealCard, shareDeal } from '#app/features/share-pictures/share-deal.server.ts';
import { sharePost } from '#app/features/share-pictures/share-page.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { inertText } from '#app/platform/inert-text.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { ChannelKind, ChannelMessage } from './channel-kind.server.ts';
import { fillTemplate, type TemplateValues } from './channel-template.ts';

export type ChannelPost = Selectable<Database['channel_posts']>;

export const disclosure = 'We may earn a commission when you buy through our links.';
const postTemplate = '{title}\n{link}';
const testTemplate = '{title}\n{verdict}\n{link}\n{disclosure}';
const seePrice = 'See price';
const longestTitle = 200;

interface Content {
  values: TemplateValues;
  template: string;
  /** The line above an expired deal. */
  mark: string;
  isOver: boolean;
  picturePath: string | null;
  alt: string;
}

/**
 * Returns the current content of a post. Returns `null` if the deal ended, was hidden or lost its
 * low before the post was sent.
 */
export async function writeChannelMessage(
  services: AppServices,
  post: ChannelPost,
  template: string,
  settings: SiteSettings,
  kind: ChannelKind,
): Promise<ChannelMessage | null> {
  const content = await readContent(services, post, template, settings);
  if (!content) return null;
  const { values, mark, isOver } = content;
  const limits = { longest: kind.longest - mark.length, escape: kind.escape };
  const text = fillTemplate(content.template, values, limits);
  if (text === null) return null;
  const { title, link, price, verdict, store } = values;
  return {
    key: `${post.id}-${post.created_at.getTime().toString(36)}`,
    queuedAt: post.created_at,
    text: mark + text,
    title,
    link,
    isOver,
    picture: pictureOf(services, content),
    replyTo: post.event === 'ended' ? await findOriginal(services.db, post) : null,
    parts: {
      event: post.event,
      title,
      price: price === seePrice ? null : price || null,
      verdict: verdict || null,
      store,
    },
  };
}

function pictureOf(services: AppServices, { picturePath, alt }: Content) {
  if (picturePath === null) return null;
  const read = async () => {
    const name = picturePath.slice(picturePath.lastIndexOf('/') + 1);
    const found = await findSharePicture(services, name);
    if (!found) throw new Error('the share picture is missing');
    return found.draw();
  };
  return { url: services.env.origin + picturePath, alt, read };
}

async function readContent(
  services: AppServices,
  post: ChannelPost,
  template: string,
  settings: SiteSettings,
): Promise<Content | null> {
  if (post.event === 'test') return writeTest(services, settings);
  if (post.event === 'post') return writePost(services, post, settings);
  const deal = post.deal_id === null ? null : await findDealById(services.db, post.deal_id);
  if (deal) {
    const isWanted = post.posted_at !== null || (await isStillNews(services.db, post, deal));
    return isWanted ? writeDeal(services, deal, template, settings) : null;
  }
  return post.posted_at === null ? null : writeGone(services);
}

async function isStillNews(db: Db, { event }: ChannelPost, deal: DealDetail): Promise<boolean> {
  if (event === 'ended') return deal.is_expired;
  const isLow = event === 'low' ? conditionOf({ evidence: 'low' }) : sql`true`;
  const found = await ask(db).value<number>`
    select id from deals where id = ${deal.id} and ${liveScope} and availability <> 'out_of_stock' and ${isLow}`;
  return found !== null;
}

/**
 * Writes a deal. Omits price and verdict if the store forbids price tracking or wants prices hidden
 * after some hours, since posts outlive pages.
 */
export async function writeDeal(
  services: Pick<AppServices, 'db' | 'env' | 'now'>,
  deal: DealDetail,
  template: string,
  settings: SiteSettings,
): Promise<Content> {
  const now = services.now();
  const proof = (await findPriceProofs(services.db, [deal])).get(deal.id) ?? noProof;
  const price = judgePrice(deal, proof, settings, now);
  const verdict = price && writeVerdict(deal, proof, price.claim, settings, now);
  const shared = shareDeal(deal, verdict, proof, settings);
  const others = (await findOtherStores(services.db, [deal.id], null)).get(deal.id);
  const mayTell = deal.merchant.keep_history;
  const sentence = mayTell ? dealCard(shared).text : '';
  const shownPrice = mayTell ? shared.price : null;
  return {
    template,
    mark: deal.is_expired ? 'EXPIRED\n' : '',
    isOver: deal.is_expired,
    // The picture shows the price, so it is omitted if the store forbids price tracking.
    picturePath: mayTell ? sharePicturePath('deal', deal.id, shared) : null,
    alt: inertText(deal.title, longestTitle),
    values: {
      title: inertText(deal.title, longestTitle),
      store: deal.merchant.name,
      price: shownPrice ?? seePrice,
      verdict: sentence === '' ? '' : `${sentence}.`,
      stores: others ? `${writeAlsoAt(others, settings.currency)}.` : '',
      link: `${services.env.origin}/deals/${deal.slug}`,
      disclosure,
    },
  };
}

async function writePost(
  services: AppServices,
  { post_id: id }: ChannelPost,
  settings: SiteSettings,
): Promise<Content | null> {
  const post = id === null ? null : await findPostById(services.db, id);
  if (!post) return null;
  const title = inertText(post.title, longestTitle);
  const link = `${services.env.origin}/blog/${post.slug}`;
  const { path: picturePath } = sharePost(post, settings).image;
  return {
    ...plain(title, link),
    template: postTemplate,
    picturePath,
    alt: title,
  };
}

function writeTest({ env }: AppServices, { siteName }: SiteSettings): Content {
  const content = plain(`Test post of ${siteName}`, `${env.origin}/deals`);
  const values = { ...content.values, verdict: 'Deals will appear here.', disclosure };
  return { ...content, values, template: testTemplate };
}

/** Writes an earlier post about a deal that was deleted or hidden. */
function writeGone({ env }: AppServices): Content {
  const content = plain('This deal is no longer available', `${env.origin}/deals`);
  return { ...content, isOver: true };
}

function plain(title: string, link: string): Content {
  const values = { title, link, store: '', price: '', verdict: '', stores: '', disclosure: '' };
  return { values, template: postTemplate, mark: '', isOver: false, picturePath: null, alt: '' };
}

/** Returns the id of the earlier post about the deal that ended. */
function findOriginal(db: Db, { channel_id, deal_id }: ChannelPost): Promise<string | null> {
  return ask(db).value<string>`
    select remote_id from channel_posts
     where channel_id = ${channel_id} and deal_id = ${deal_id} and event in ('new', 'low') and remote_id is not null
     order by posted_at desc limit 1`;
}
