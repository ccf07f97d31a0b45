import { matchProducts } from '#app/features/products/match-offers.server.ts';
import type { Db } from '#database/connect.ts';
import { demoVariants } from '#database/seed/demo-offers.ts';

/** Links the demo shop's deals to products right away; a job does this for other deals. */
export async function linkDemoProducts(db: Db): Promise<void> {
  await matchProducts(db);
  for (const { slug, of, label } of demoVariants()) {
    const productOf = (dealSlug: string) =>
      db
        .selectFrom('deals')
        .select('product_id')
        .where('slug', '=', dealSlug)
        .where('is_demo', '=', true);
    await db
      .updateTable('products')
      .set({ variant_of: productOf(of), variant_label: label })
      .where('id', '=', productOf(slug))
      .execute();
  }
}
