import { sql } from 'kysely';
import { openSession } from '#app/features/accounts/sessions/open-session.server.ts';
import { addWebhookEndpoint } from '#app/features/webhooks/change-webhook-endpoint.server.ts';
import { connect } from '#database/connect.ts';
import { insertDeals, insertUser } from '#test/factories/insert.ts';
import { publicAddress } from './machines.ts';
import { origin, siteEnv } from './start-cluster.ts';

const memberCount = 20;
const watchedDeals = 20;
const alertsOfDeal = 120;
/** cents; each drop by one cent fires one alert, whose owner has no others */
const highestPrice = 100_000;

export interface Shop {
  /** The cookies of signed-in users. */
  members: { id: string; cookie: string }[];
  /** More deals than any run adds to favorites. */
  plainDeals: number[];
  watchedDeals: number[];
  /** Lowers the price by one cent in a separate write, and returns the new price. */
  lowerPrice(deal: number): Promise<number>;
  close(): Promise<void>;
}

/** Returns the guest subscriber with an alert for this price of this deal. */
export function watcherOf(deal: number, price: number): string {
  return `watcher-${deal}-${highestPrice - price}@mail.example`;
}

/** Adds the data for the traffic to the demo shop, with the same tools as an owner. */
export async function prepareShop(): Promise<Shop> {
  const { DATABASE_URL: pooled = '', DATABASE_URL_DIRECT: direct = '' } = siteEnv;
  // Connects as an owner's script would, without statement limits.
  const { db, close } = connect(direct, { statementTimeout: 0, maxConnections: 2 });
  const users = [];
  for (let n = 0; n < memberCount; n++) users.push(await insertUser(db));
  const place = { origin, address: '10.0.0.1', userAgent: 'cluster' };
  const members: Shop['members'] = [];
  for (const { id } of users) {
    const cookie = await db.transaction().execute((tx) => openSession(tx, id, place));
    members.push({ id, cookie: cookie.slice(0, cookie.indexOf(';')) });
  }
  const watched = await insertDeals(db, watchedDeals);
  // The newest deals, which are first in the lists.
  const plainDeals = await insertDeals(db, 250);
  await sql`update deals set sale_price = ${highestPrice}, original_price = null where id = any(${watched})`.execute(
    db,
  );
  await sql`
    with added as (
      insert into watchers (email)
        select 'watcher-' || deal || '-' || n || '@mail.example'
          from unnest(${watched}::bigint[]) deal, generate_series(1, ${alertsOfDeal}::int) n
      returning id, split_part(email, '-', 2)::bigint as deal, split_part(split_part(email, '-', 3), '@', 1)::int as n)
    insert into price_alerts (watcher_id, deal_id, kind, target_price)
      select id, deal, 'target', ${highestPrice}::int - n from added`.execute(db);
  await addWebhookEndpoint(db, {
    actor: users[0]?.id ?? '',
    url: `http://${publicAddress}/`,
    events: ['deal.price_changed', 'alert.fired'],
  });
  await close();

  const prices = connect(pooled, { directUrl: direct, statementTimeout: 0, maxConnections: 5 });
  return {
    members,
    plainDeals,
    watchedDeals: watched,
    async lowerPrice(deal) {
      const changed = await prices.db
        .updateTable('deals')
        .set({ sale_price: sql`sale_price - 1` })
        .where('id', '=', deal)
        .returning('sale_price')
        .executeTakeFirstOrThrow();
      return changed.sale_price;
    },
    close: () => prices.close(),
  };
}
