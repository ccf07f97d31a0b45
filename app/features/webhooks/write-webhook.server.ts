import type { Selectable } from 'kysely';
import { z } from 'zod';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { webhookMessage } from '#app/features/public-api/api-webhook-schemas.ts';
import { asMoney, encodeOtherStores } from '#app/features/public-api/encode-deal.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

export type WebhookDelivery = Selectable<Database['webhook_deliveries']>;

interface ToldDeal {
  id: number;
  slug: string;
  title: string;
  price_checked_at: Date;
  keep_history: boolean;
  hide_price_after_hours: number | null;
}

/**
 * Returns the payload when it is sent, or `null` if the deal is no longer public. Prices that must
 * be hidden by then are left out. The payload of an alert contains only the alert's id.
 */
export async function writeWebhook(
  db: Db,
  delivery: WebhookDelivery,
  site: Pick<PublicSite, 'origin' | 'currency'>,
  now: Date,
): Promise<string | null> {
  const { event: type, occurred_at: timestamp } = delivery;
  if (delivery.deal_id === null) {
    return JSON.stringify(z.encode(webhookMessage, { type, timestamp, data: {} }));
  }
  const deal = await findToldDeal(db, delivery.deal_id);
  if (!deal) return null;
  const otherStores = await findOtherStores(db, [deal.id], now);
  const { keep_history, hide_price_after_hours } = deal;
  const isHidden = isPriceHidden({ ...deal, merchant: { hide_price_after_hours } }, now);
  const sum = (amount: number | null, mayTell: boolean) =>
    amount === null || !mayTell ? null : asMoney(amount, delivery.currency);
  const message = {
    type,
    timestamp,
    data: {
      deal: {
        id: deal.id,
        slug: deal.slug,
        title: deal.title,
        url: `${site.origin}/deals/${deal.slug}`,
        api_url: `${site.origin}/api/v1/deals/${deal.id}`,
        product: encodeOtherStores(otherStores.get(deal.id), site),
      },
      price: sum(delivery.price, !isHidden),
      previous_price: sum(delivery.previous_price, !isHidden && keep_history),
      ...(delivery.alert_id === null ? {} : { alert_id: delivery.alert_id }),
    },
  };
  return JSON.stringify(z.encode(webhookMessage, message));
}

async function findToldDeal(db: Db, id: number): Promise<ToldDeal | null> {
  return ask(db).row<ToldDeal>`
    select d.id, d.slug, d.title, m.keep_history, m.hide_price_after_hours,
           greatest(d.price_checked_at, (select checked_at from deal_price_checks k where k.deal_id = d.id)) as price_checked_at
      from deals d join merchants m on m.id = d.merchant_id
     where d.id = ${id} and d.is_active`;
}
