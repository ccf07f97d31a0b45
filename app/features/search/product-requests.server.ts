import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const mostRequests = 1_000;
/** If the table is full, requests of few visitors are deleted in batches. */
const lotOfRequests = 100;
/** characters */
const longestTitle = 200;

/** A product that visitors asked for. */
export interface ProductRequest {
  id: number;
  url: string;
  title: string;
  visitors: number;
  requested_at: Date;
}

/** Stores a request for a product, or counts it once per visitor (`visitorTokens`). */
export async function storeProductRequest(
  db: Db,
  { url, title }: { url: string; title: string },
  { mark, marks }: { mark: string; marks: string[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await makeRoom(tx, url);
    const id = await ask(tx).value<number>`
      insert into product_requests (url, title) values (${url}, ${title.slice(0, longestTitle)})
      on conflict (url) do update set requested_at = now() returning id`;
    await ask(tx).rows`
      with counted as (
        insert into product_request_visitors (request_id, mark)
        select ${id}::bigint, ${mark}
         where not exists (select from product_request_visitors
                            where request_id = ${id} and mark = any(${marks}::text[]))
        on conflict do nothing returning request_id)
      update product_requests set visitors = visitors + 1 from counted where id = counted.request_id`;
  });
}

async function makeRoom(tx: Db, url: string): Promise<void> {
  const isFull = await ask(tx).value<boolean>`
    select count(*) >= ${mostRequests} and not coalesce(bool_or(url = ${url}), false) from product_requests`;
  if (!isFull) return;
  await ask(tx).rows`
    delete from product_requests where id in (
      select id from product_requests
       order by dismissed_at is null, visitors, requested_at limit ${lotOfRequests})`;
}

/** Lists the requests of the most visitors first, without products that now have a live deal. */
export async function listProductRequests(db: Db, limit: number): Promise<ProductRequest[]> {
  return ask(db).rows<ProductRequest>`
    select id, url, title, visitors, requested_at from product_requests
     where dismissed_at is null
       and not exists (
         select from deals
          where is_active
            and left(regexp_replace(split_part(split_part(deal_url, '?', 1), '#', 1), '^https?://(www\\.)?|/+$', '', 'g'), 80)
              = left(regexp_replace(split_part(product_requests.url, '?', 1), '^https?://(www\\.)?|/+$', '', 'g'), 80)
            and position(regexp_replace(product_requests.url, '^https?://(www\\.)?|/+$', '', 'g') in deal_url) > 0)
     order by visitors desc, requested_at desc, id limit ${limit}`;
}

/** Dismisses or restores a request. Returns `false` if someone else already did. */
export async function dismissProductRequest(
  db: Db,
  { id, actor, isUndo }: { id: number; actor: string; isUndo: boolean },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const url = await ask(tx).value<string>`
      update product_requests set dismissed_at = case when ${isUndo} then null else now() end
       where id = ${id} and (dismissed_at is not null) = ${isUndo} returning url`;
    if (url === null) return false;
    await writeAudit(tx, {
      actor,
      action: isUndo ? 'product-request.restore' : 'product-request.dismiss',
      entity: 'product_request',
      entityId: id,
      after: { url },
    });
    return true;
  });
}

/** Deletes the request that a new deal fulfils. */
export async function fulfilProductRequest(db: Db, url: string): Promise<void> {
  await db.deleteFrom('product_requests').where('url', '=', url).execute();
}
