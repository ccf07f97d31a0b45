import { type Insertable, sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import type { AlertRule } from '#app/features/price-alerts/alert-kind.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { Cadence } from './watch-cadence.ts';

/** A request made with an email address, until it is confirmed by email. */
export type WatchRequest = { id: number; email: string; confirmed_at: Date | null } & (
  | (AlertRule & { what: 'deal'; deal: RequestedDeal })
  | { what: 'search' | 'product'; address: string; name: string; cadence: Cadence }
);

interface RequestedDeal {
  id: number;
  slug: string;
  title: string;
  picture: string | null;
  merchantName: string;
  /** The price, or `null` while it is hidden. */
  sale_price: number | null;
}

export async function findWatchRequest(db: Db, id: number): Promise<WatchRequest | null> {
  return (await readRequests(db, sql`r.id = ${id}`))[0] ?? null;
}

/** Lists open requests, newest first. */
export function listWaitingRequests(db: Db, email: string): Promise<WatchRequest[]> {
  return readRequests(db, sql`lower(r.email) = ${email.toLowerCase()} and r.confirmed_at is null`);
}

function readRequests(db: Db, condition: ReturnType<typeof sql>): Promise<WatchRequest[]> {
  return ask(db).rows<WatchRequest>`
    select r.id, r.email, r.confirmed_at, r.kind, r.target_price, r.target_percent, r.repeats,
           r.search_address as address, r.search_name as name, r.cadence,
           case when r.deal_id is not null then 'deal' when r.search_address like '/products/%' then 'product' else 'search' end as what,
           case when r.deal_id is not null then
             jsonb_build_object('id', d.id, 'slug', d.slug, 'title', d.title, 'picture', shown_picture(d.image_url, m.keeps_pictures),
               'merchantName', m.name, 'sale_price', case when ${isPriceShown} then d.sale_price end) end as deal
      from watch_requests r left join deals d on d.id = r.deal_id left join merchants m on m.id = d.merchant_id
     where ${condition} order by r.id desc`;
}

/** open requests per address; another one replaces the oldest */
export const mostRequestsPerAddress = 10;

export async function insertWatchRequest(
  tx: Tx,
  request: Insertable<Database['watch_requests']>,
): Promise<number> {
  const { id } = await tx
    .insertInto('watch_requests')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    delete from watch_requests where id in (
      select id from watch_requests where lower(email) = ${request.email.toLowerCase()} and confirmed_at is null
       order by id desc offset ${mostRequestsPerAddress})`.execute(tx);
  return id;
}

/** Deletes a request. Called by an inbox's unsubscribe button on an unrequested email. */
export async function dropWatchRequest(db: Db, id: number): Promise<void> {
  const waiting = db.deleteFrom('watch_requests').where('id', '=', id);
  await waiting.where('confirmed_at', 'is', null).execute();
}
