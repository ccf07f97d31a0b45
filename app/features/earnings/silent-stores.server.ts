import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { outboundUrl } from '#app/features/clicks/affiliate-url.ts';
import { isNetworkId, type NetworkId, recogniseNetwork } from './affiliate-networks.ts';

/** A store with clicks but no sales, whose affiliate id may be wrong. */
export interface SilentStore {
  id: number;
  name: string;
  clicks: number;
  network: NetworkId;
}

/** number of clicks after which a store without a sale is suspicious */
export const suspiciousClicks = 40;
/** days */
export const silentDays = 14;

interface Candidate {
  id: number;
  name: string;
  clicks: number;
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
  sub_id_network: string;
  /** The link of the newest live deal. */
  deal_url: string | null;
}

/**
 * Returns the stores with many clicks on a network's links but no sale in 14 days. The network is
 * the one chosen, or that of the newest deal's link. Declined sales count, since their link works.
 * If no store has any sale, earnings are not in use, so there is no warning.
 */
export async function listSilentStores(db: Db, now: Date): Promise<SilentStore[]> {
  const candidates = await ask(db).rows<Candidate>`
    with clicked as (
      select place_id as id, sum(count)::integer as clicks from click_days
       where kind = 'merchant' and day > (${now}::timestamptz at time zone 'UTC')::date - ${silentDays}::integer
         and exists (select from earnings)
       group by 1 having sum(count) >= ${suspiciousClicks}
    )
    select m.id, m.name, c.clicks, m.affiliate_template, m.affiliate_sub_id, m.sub_id_network,
           (select d.deal_url from deals d where d.merchant_id = m.id and d.is_active and not d.is_expired
             order by d.created_at desc, d.id desc limit 1) as deal_url
      from clicked c join merchants m on m.id = c.id
     where m.sub_id_network <> 'off'
       and not exists (select from earnings e where e.merchant_id = m.id
                         and e.day > (${now}::timestamptz at time zone 'UTC')::date - ${silentDays}::integer)
     order by c.clicks desc, m.id`;
  return candidates.flatMap(({ id, name, clicks, deal_url, ...store }) => {
    const network = isNetworkId(store.sub_id_network)
      ? store.sub_id_network
      : recogniseNetwork(outboundUrl(deal_url ?? '', store, 0));
    return network === null ? [] : [{ id, name, clicks, network }];
  });
}
