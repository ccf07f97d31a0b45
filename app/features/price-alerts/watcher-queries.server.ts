import { type Insertable, sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { AlertRule } from './alert-kind.ts';

/** A requested price alert until its email is confirmed. */
export interface WatchRequest extends AlertRule {
  id: number;
  email: string;
  confirmed_at: Date | null;
  deal: {
    id: number;
    slug: string;
    title: string;
    picture: string | null;
    merchantName: string;
    /** `null` while the price is hidden. */
    sale_price: number | null;
  };
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
           jsonb_build_object('id', d.id, 'slug', d.slug, 'title', d.title, 'picture', shown_picture(d.image_url, m.keeps_pictures),
             'merchantName', m.name, 'sale_price', case when ${isPriceShown} then d.sale_price end) as deal
      from watch_requests r join deals d on d.id = r.deal_id join merchants m on m.id = d.merchant_id
     where ${condition} order by r.id desc`;
}

/** requests that are open per address; another one replaces the oldest */
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

/** Deletes a request. An inbox's unsubscribe button on an unrequested email calls it. */
export async function dropWatchRequest(db: Db, id: number): Promise<void> {
  const waiting = db.deleteFrom('watch_requests').where('id', '=', id);
  await waiting.where('confirmed_at', 'is', null).execute();
}

export function findWatcher(db: Db, id: number) {
  return ask(db).row<{ id: number; email: string }>`
    select id, email from watchers where id = ${id}`;
}

export function findWatcherByAddress(db: Db, email: string) {
  return ask(db).value<number>`select id from watchers where lower(email) = ${email.toLowerCase()}`;
}

/** Deletes everything stored about an address without an account. Data of an account is kept. */
export async function eraseWatcher(db: Db, { id, email }: { id: number; email: string }) {
  const address = email.toLowerCase();
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('watchers').where('id', '=', id).execute();
    await sql`delete from watch_requests where lower(email) = ${address}`.execute(tx);
    await sql`
      delete from mail_outbox
       where lower(recipient) = ${address} and user_id is null and (kind like 'price-alert%' or kind like 'search-%')`.execute(
      tx,
    );
  });
}
