import { type Selectable, sql } from 'kysely';
import { listLatestPosts } from '#app/features/blog/blog-queries.server.ts';
import {
  conditionOf,
  liveScope,
  shownPercent,
} from '#app/features/deals/deal-conditions.server.ts';
import { describeClosed } from '#app/features/site-settings/closed-site.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fromWallClock, toWallClock } from '#app/platform/wall-clock.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ChannelEvent } from '#database/schema/channel-tables.ts';
import type { Database } from '#database/schema.ts';
import { isChannelKind } from './channel-fields.ts';
import { channelKinds } from './channel-kinds.server.ts';
import { secondsOfQuiet } from './quiet-hours.ts';

type Channel = Selectable<Database['channels']>;
type Services = Pick<AppServices, 'db' | 'now'>;

/** days for which earlier posts are updated when their deal changes */
const followedDays = 60;
/** days in which a blog post is news; rows of `channel_posts` are kept for longer */
const newsDays = 7;
/** posts; a blog publishes fewer in a minute */
const newestPosts = 20;

/**
 * Queues posts and edits. News of deals waits in `channel_news`. Each run posts the deals with the
 * highest discounts, up to the daily limit, and drops the others. A closed site queues nothing, and
 * its news waits.
 */
export async function planChannelPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const { db } = services;
  const channels = await db
    .selectFrom('channels')
    .selectAll()
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  const settings = await readSiteSettings(db);
  if (channels.length > 0 && describeClosed(settings.maintenance) !== null) return;
  // The ids are listed, because a transaction that commits later may have lower ones.
  const news = await ask(db).column<number>`select id from channel_news`;
  for (const channel of channels) {
    if (signal?.aborted) return;
    await planChannel(services, channel, settings, news);
  }
  await ask(db).rows`delete from channel_news where id = any(${news})`;
}

async function planChannel(
  { db, now }: Services,
  channel: Channel,
  settings: SiteSettings,
  news: number[],
) {
  await queueEdits(db, channel);
  const time = now();
  const left = channel.posts_a_day - (await countToday(db, channel.id, time, settings.timeZone));
  if (left <= 0) return;
  const delay = secondsOfQuiet(channel, time, settings.timeZone);
  const found = [
    ...(await findNewPosts(db, channel, time)),
    ...(await findEnded(db, channel, left)),
    ...(await findDeals(db, channel, settings, news, left)),
  ];
  let queued = 0;
  for (const one of found) {
    if (queued < left && (await queuePost(db, channel.id, one, delay))) queued += 1;
  }
}

interface Found {
  key: string;
  event: ChannelEvent;
  deal_id: number | null;
  post_id: number | null;
}

/** The facts of a deal `d` and its store. If they change, earlier posts are updated. */
const facts = sql`concat_ws('|', d.sale_price, d.currency, d.is_expired, d.is_active, d.slug, d.title,
  (select concat_ws('|', m.keep_history, m.hide_price_after_hours) from merchants m where m.id = d.merchant_id))`;

/** Queues the post of an event. Returns `false` if the channel already has a post of this event. */
async function queuePost(
  db: Db,
  channelId: number,
  { key, event, deal_id, post_id }: Found,
  delay: number,
): Promise<boolean> {
  const due = sql`now() + make_interval(secs => ${delay})`;
  const queued = await ask(db).rows`
    insert into channel_posts (channel_id, key, event, deal_id, post_id, due_at, trying_since, facts)
      values (${channelId}, ${key}, ${event}, ${deal_id}, ${post_id}, ${due}, ${due},
              coalesce((select ${facts} from deals d where d.id = ${deal_id}), ''))
      on conflict (channel_id, key) do nothing returning id`;
  return queued.length > 0;
}

/**
 * Returns the deals among the news that the channel's rules allow, the best first, one per
 * product.
 */
async function findDeals(
  db: Db,
  channel: Channel,
  { priceClaims }: SiteSettings,
  news: number[],
  left: number,
): Promise<Found[]> {
  const { events, least_percent, category_id, merchant_id } = channel;
  const wantsNew = events.includes('new');
  const wantsLow = events.includes('low');
  if (!wantsNew && !wantsLow) return [];
  const rules = conditionOf({
    ...(least_percent > 0 && { off: least_percent, priceClaims }),
    ...(category_id !== null && { categoryId: category_id }),
    ...(merchant_id !== null && { merchantId: merchant_id }),
  });
  const isLow = sql`(${wantsLow} and ${conditionOf({ evidence: 'low' })})`;
  const isNew = sql`(${wantsNew} and news.is_new)`;
  const percent = sql.ref(shownPercent[priceClaims]);
  // Each product is posted at most once a day, with the best of its deals.
  const product = sql`coalesce(product_id, -id)`;
  const rows = await ask(db).rows<{ id: number; is_low: boolean; price: string }>`
    select id, is_low, price from (
    select distinct on (${product}) id, ${isLow} as is_low, sale_price || ' ' || currency as price, ${percent} as percent
      from deals join (select deal_id, bool_or(event = 'new') as is_new from channel_news
                        where id = any(${news}) group by deal_id) news on news.deal_id = id
     where ${liveScope} and not is_demo and availability <> 'out_of_stock' and ${rules} and (${isLow} or ${isNew})
       and not exists (select from channel_posts p where p.channel_id = ${channel.id} and p.deal_id = deals.id and p.event <> 'ended'
                        and (p.created_at > now() - interval '1 day'
                             or p.key = case when ${isLow} then 'low ' || deals.id || ' ' || sale_price || ' ' || currency
                                        else 'new ' || deals.id end))
       and not exists (select from deals sibling join channel_posts p on p.channel_id = ${channel.id} and p.deal_id = sibling.id
                        where sibling.product_id = deals.product_id and p.event <> 'ended' and p.created_at > now() - interval '1 day')
     order by ${product}, ${percent} desc nulls last, id) best
     order by percent desc nulls last, id limit ${left}`;
  return rows.map(({ id, is_low, price }) => ({
    key: is_low ? `low ${id} ${price}` : `new ${id}`,
    event: is_low ? 'low' : 'new',
    deal_id: id,
    post_id: null,
  }));
}

/** Returns deals that the channel posted and that ended since. */
async function findEnded(db: Db, { id, events }: Channel, left: number): Promise<Found[]> {
  if (!events.includes('ended')) return [];
  const rows = await ask(db).rows<{ deal_id: number }>`
    select distinct p.deal_id from channel_posts p join deals d on d.id = p.deal_id and d.is_active and d.is_expired
     where p.channel_id = ${id} and p.posted_at > now() - make_interval(days => ${followedDays}) and p.event in ('new', 'low')
       and not exists (select from channel_posts e where e.channel_id = p.channel_id and e.key = 'ended ' || p.deal_id)
     order by p.deal_id limit ${left}`;
  return rows.map(({ deal_id }) => ({
    key: `ended ${deal_id}`,
    event: 'ended',
    deal_id,
    post_id: null,
  }));
}

/** Returns blog posts published since the channel was turned on. */
async function findNewPosts(
  db: Db,
  { events, active_since }: Channel,
  now: Date,
): Promise<Found[]> {
  if (!events.includes('post')) return [];
  const posts = await listLatestPosts(db, newestPosts);
  const since = Math.max(active_since.getTime(), now.getTime() - newsDays * 86_400_000);
  return posts
    .filter(({ shown_at }) => shown_at.getTime() >= since)
    .map(({ id }) => ({ key: `post ${id}`, event: 'post', deal_id: null, post_id: id }));
}

/**
 * Queues posts again if their deal was changed or deleted. A row that is still queued is sent with
 * the latest facts anyway, so several changes become one edit.
 */
async function queueEdits(db: Db, { id, kind }: Channel): Promise<void> {
  if (!isChannelKind(kind) || !channelKinds[kind].edit) return;
  await ask(db).rows`
    update channel_posts p
       set facts = changed.facts, state = 'queued', due_at = now(), trying_since = now(), attempts = 0, last_error = null
      from (select q.id, coalesce(${facts}, 'gone') as facts
              from channel_posts q left join deals d on d.id = q.deal_id
             where q.channel_id = ${id} and q.event in ('new', 'low') and q.remote_id is not null
               and q.posted_at > now() - make_interval(days => ${followedDays})) changed
     where p.id = changed.id and p.facts <> changed.facts and p.state in ('sent', 'failed') and p.lease_owner is null`;
}

/** Counts the posts of the current day in the site's time zone. */
async function countToday(db: Db, channelId: number, now: Date, timeZone: string): Promise<number> {
  const today = toWallClock(now, timeZone).slice(0, 10);
  const start = fromWallClock(`${today}T00:00`, timeZone);
  const count = await ask(db).value<number>`
    select count(*) from channel_posts
     where channel_id = ${channelId} and event <> 'test' and created_at >= ${start}`;
  return count ?? 0;
}
