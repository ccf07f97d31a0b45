import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { AlertDeal } from './alert-deal-summary.tsx';

const mostFound = 8;

/**
 * Returns those of the given deals that an alert can watch, in the same order: live ones with a
 * visible price, from merchants that allow alerts.
 */
export async function findAlertDeals(db: Db, ids: readonly number[]): Promise<AlertDeal[]> {
  return ask(db).rows<AlertDeal>`
    select d.id, d.title, shown_picture(d.image_url, m.keeps_pictures) as picture, d.sale_price, m.name as "merchantName"
      from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
      join deals d on d.id = wanted.id join merchants m on m.id = d.merchant_id
     where d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
       and m.allow_alerts and ${isPriceShown}
     order by wanted.place limit ${mostFound}`;
}
