import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isNetworkId, type NetworkId, networkIds, recogniseNetwork } from './affiliate-networks.ts';

/** A store with clicks and no sale, whose affiliate id may be wrong. */
export interface SilentStore {
  id: number;
  name: string;
  clicks: number;
  network: NetworkId;
}

/** clicks after which a store without a sale is suspicious */
export const suspiciousClicks = 40;
/** days */
export const silentDays = 14;

interface Candidate {
  id: number;
  name: string;
  clicks: number;
  affiliate_template: string;
  sub_id_network: string;
}

/**
 * Returns the stores with many clicks and no sale in 14 days, while their network reported other
 * sales in that time. Declined sales count, since the link that led to them works.
 */
export async function listSilentStores(db: Db, now: Date): Promise<SilentStore[]> {
  const reporting = new Set(
    await ask(db).column<string>`
      select n.network from unnest(${networkIds}::text[]) n (network)
       where exists (select from earnings e where e.network = n.network
                        and e.updated_at > ${now}::timestamptz - make_interval(days => ${silentDays}))`,
  );
  if (reporting.size === 0) return [];
  const candidates = await ask(db).rows<Candidate>`
    with clicked as (
      select place_id as id, sum(count)::integer as clicks from click_days
       where kind = 'merchant' and day > (${now}::timestamptz at time zone 'UTC')::date - ${silentDays}::integer
       group by 1 having sum(count) >= ${suspiciousClicks}
    )
    select m.id, m.name, c.clicks, m.affiliate_template, m.sub_id_network
      from clicked c join merchants m on m.id = c.id
     where m.affiliate_template is not null and m.sub_id_network <> 'off'
       and not exists (select from earnings e where e.merchant_id = m.id
                         and e.day > (${now}::timestamptz at time zone 'UTC')::date - ${silentDays}::integer)
     order by c.clicks desc, m.id`;
  return candidates.flatMap(({ id, name, clicks, affiliate_template: link, sub_id_network }) => {
    const network = isNetworkId(sub_id_network) ? sub_id_network : recogniseNetwork(link);
    return network !== null && reporting.has(network) ? [{ id, name, clicks, network }] : [];
  });
}
