import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { AlertDeal } from './open-alert-dialog.ts';

const mostFound = 8;

/** Live deals whose title has all these words, of merchants that allow alerts; the newest first. */
export async function findAlertDeals(db: Db, query: string): Promise<AlertDeal[]> {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  if (words.length === 0) return [];
  const { rows } = await sql<AlertDeal>`
    select d.id, d.title, d.image_url, d.sale_price, m.name as "merchantName"
      from deals d join merchants m on m.id = d.merchant_id
     where d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
       and m.allow_alerts and d.title ilike all(${words}::text[])
     order by d.created_at desc, d.id desc limit ${mostFound}`.execute(db);
  return rows;
}
