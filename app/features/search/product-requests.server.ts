import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { countVisitor } from '#app/features/catalog/count-visitor.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { findDealByLink } from './find-typed-address.server.ts';

const counted = {
  table: 'product_requests',
  key: 'id',
  visitors: 'product_request_visitors',
  reference: 'request_id',
};
const mostRequests = 1_000;
/** If the table is full, requests by few visitors are deleted in batches. */
const lotOfRequests = 100;
/** characters */
const longestTitle = 200;

/** A product that visitors have requested. */
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
  tokens: { mark: string; marks: string[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await makeRoom(tx, url);
    const id = await ask(tx).value<number>`
      insert into product_requests (url, title) values (${url}, ${title.slice(0, longestTitle)})
      on conflict (url) do update set requested_at = now() returning id`;
    if (id !== null) await countVisitor(tx, counted, id, tokens);
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

/** Lists the requests, those with the most visitors first. */
export async function listProductRequests(db: Db, limit: number): Promise<ProductRequest[]> {
  return ask(db).rows<ProductRequest>`
    select id, url, title, visitors, requested_at from product_requests
     where dismissed_at is null order by visitors desc, requested_at desc, id limit ${limit}`;
}

/** Returns the requested link and the deal that now has it, or `null` if the request is gone. */
export async function findProductRequest(
  db: Db,
  id: number,
): Promise<{ link: string; dealId: number | null } | null> {
  const link = await ask(db).value<string>`select url from product_requests where id = ${id}`;
  if (link === null) return null;
  const { host, pathname, search } = new URL(link);
  const deal = await findDealByLink(db, {
    host: host.replace(/^www\./, ''),
    rest: pathname + search,
  });
  return { link, dealId: deal?.id ?? null };
}

/** Dismisses or restores a request. Returns `false` if another user already did. */
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
      // The audit log outlives the request, and a link may reveal more than the visitor intended.
      after: { store: new URL(url).host },
    });
    return true;
  });
}

/** Deletes the request that a new deal fulfills. */
export async function fulfilProductRequest(db: Db, id: number): Promise<void> {
  await db.deleteFrom('product_requests').where('id', '=', id).execute();
}
