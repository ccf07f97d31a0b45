import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceStep } from './lay-out-price-chart.ts';

/** The pictures of a deal in an email, as paths on this site. */
export interface MailDealPictures {
  /** The product as a JPEG, or `null` if no copy of its picture can be expected. */
  picture: string | null;
  /** The price line as a PNG, or `null` if the price never moved or its history is not shown. */
  line: string | null;
}

export const noPictures: MailDealPictures = { picture: null, line: null };

const mostSteps = 400;

/** The time of the log line that was in force 90 days before `until`. */
const openedAt = (until: ReturnType<typeof sql>) => sql`coalesce(
  (select max(o.at) from valid_prices o where o.deal_id = d.id and o.at < ${until} - interval '90 days'), '-infinity')`;

/**
 * Returns the pictures of some deals for an email. `target` is the level that the line shows. The
 * picture's path contains the newest price, so that email clients never show an older cached line.
 */
export async function findMailPictures(
  db: Db,
  deals: readonly { id: number; target?: number | null }[],
): Promise<Map<number, MailDealPictures>> {
  if (deals.length === 0) return new Map();
  const rows = await ask(db).rows<{ id: number; hasPicture: boolean; version: number | null }>`
    select d.id,
           coalesce(shown.picture like '/media/%' or m.keeps_pictures and shown.picture like 'http%'
             and exists (select from pictures where name is not null), false) as "hasPicture",
           case when m.keep_history and ${isPriceShown} and exists (
             select from valid_prices l
              where l.deal_id = d.id and l.sale_price <> d.sale_price and l.at >= ${openedAt(sql`now()`)})
           then (select l.id from valid_prices l where l.deal_id = d.id order by l.at desc, l.id desc limit 1) end as version
      from deals d join merchants m on m.id = d.merchant_id
      cross join lateral (select shown_picture(d.image_url, m.keeps_pictures) as picture) shown
     where d.id = any(${deals.map(({ id }) => id)}::bigint[]) and d.is_active`;
  const targets = new Map(deals.map(({ id, target }) => [id, target ?? null]));
  return new Map(
    rows.map(({ id, hasPicture, version }) => [
      id,
      {
        picture: hasPicture ? `/mail-pictures/deal-${id}.jpg` : null,
        line: version === null ? null : linePath(id, version, targets.get(id) ?? null),
      },
    ]),
  );
}

function linePath(id: number, version: number, target: number | null): string {
  const name = target === null ? `${id}-${version}` : `${id}-${version}-${target}`;
  return `/mail-pictures/price-line-${name}.png`;
}

/**
 * Returns the prices up to a line of the log (if `null`, the newest), oldest first, beginning with
 * the one in force 90 days before. Returns none if the deal is not public, its store forbids price
 * history, its price is hidden, or the line was voided.
 */
export async function readPriceLine(
  db: Db,
  dealId: number,
  version: number | null,
): Promise<PriceStep[]> {
  return ask(db).rows<PriceStep>`
    select at, price, "isOffer" from (
      select l.id, l.at, l.sale_price as price, l.availability <> 'out_of_stock' as "isOffer"
        from deals d join merchants m on m.id = d.merchant_id
        join valid_prices newest on newest.deal_id = d.id and newest.id = coalesce(${version}::bigint,
          (select l.id from valid_prices l where l.deal_id = d.id order by l.at desc, l.id desc limit 1))
        join valid_prices l on l.deal_id = d.id and (l.at, l.id) <= (newest.at, newest.id)
         and l.at >= ${openedAt(sql`newest.at`)}
       where d.id = ${dealId} and d.is_active and m.keep_history and ${isPriceShown}
       order by l.at desc, l.id desc limit ${mostSteps}) line
     order by at, id`;
}
