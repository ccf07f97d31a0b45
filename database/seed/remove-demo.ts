import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { MediaStore } from '#database/media-store.ts';
import { demoAuthor } from './demo-settings.ts';
import type { SeededCounts } from './seed-demo.ts';

/**
 * Removes every demo row in one transaction. Histories, favorites and alerts are deleted with their
 * deals, and so are products that have no other deals. A demo category or merchant that the site's
 * own deals or feeds use is kept and no longer marked as demo.
 */
export async function removeDemo(
  db: Db,
  /** Called to log the removal in the same transaction. */
  options: { media?: MediaStore; record?: (tx: Tx, removed: SeededCounts) => Promise<void> } = {},
): Promise<SeededCounts> {
  const removed = await db.transaction().execute(async (tx) => {
    const counts = await removeRows(tx);
    await options.record?.(tx, counts);
    return counts;
  });
  const { media } = options;
  if (media && !(await hasDemoPictures(db))) {
    for (const name of await media.list('demo')) await media.remove(name);
  }
  return removed;
}

async function removeRows(tx: Tx): Promise<SeededCounts> {
  const remove = async (table: string, hanging: Record<string, string> = {}) => {
    const isAlone = Object.entries(hanging).map(
      ([other, column]) =>
        sql`not exists (select from ${sql.table(other)} where ${sql.ref(column)} = t.id)`,
    );
    const isOver = sql.join([sql`is_demo`, ...isAlone], sql` and `);
    const { numAffectedRows } =
      await sql`delete from ${sql.table(table)} t where ${isOver}`.execute(tx);
    return Number(numAffectedRows);
  };
  const products = await listDemoProducts(tx);
  const deals = await remove('deals');
  await sql`
    delete from products p
     where id = any(${products}::bigint[]) and not exists (select from deals where product_id = p.id)`.execute(
    tx,
  );
  const posts = await remove('blog_posts');
  const categories = await remove('categories', { deals: 'category_id' });
  const merchants = await remove('merchants', {
    deals: 'merchant_id',
    feed_sources: 'merchant_id',
  });
  await tx.deleteFrom('site_settings').where('updated_by', '=', demoAuthor).execute();
  await tx.updateTable('categories').set({ is_demo: false }).where('is_demo', '=', true).execute();
  await tx.updateTable('merchants').set({ is_demo: false }).where('is_demo', '=', true).execute();
  return { categories, merchants, deals, posts };
}

/** Returns the products that demo deals are offers of, or were. */
function listDemoProducts(tx: Tx): Promise<number[]> {
  return ask(tx).column<number>`
    select product_id from deals where is_demo and product_id is not null
    union
    select unnest(array[l.from_product, l.to_product])
      from product_links l join deals d on d.id = l.deal_id where d.is_demo`;
}

/**
 * Returns whether demo pictures are in use. A kept merchant, or a copy of a demo row, may still
 * show one.
 */
async function hasDemoPictures(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from deals where image_url like '/media/demo/%')
        or exists (select from merchants where logo_url like '/media/demo/%')
        or exists (select from blog_posts where featured_image_url like '/media/demo/%') as used`.execute(
    db,
  );
  return rows[0]?.used ?? true;
}
