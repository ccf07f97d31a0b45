import { readAskedCoupons, type SomeCoupons } from '#app/features/coupons/read-coupons.server.ts';
import type { DealListInput } from '#app/features/deals/deal-list-input.ts';
import { findMerchantBySlug } from '#app/features/merchants/merchant-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/**
 * Returns the coupons shown above a search or a list: the named store's, or all stores' if the
 * search asks for coupons. `tags`: the cache tags that invalidate the page.
 */
export async function readFoundCoupons(
  services: AppServices,
  { merchant: slug, brand, dealType }: DealListInput,
  text: string,
): Promise<SomeCoupons & { tags: string[] }> {
  const isAsked = text !== '' || slug !== undefined || dealType === 'coupon';
  if (!isAsked) return { coupons: [], total: 0, changesAt: null, tags: [] };
  const merchant = slug ? await findMerchantBySlug(services.db, slug) : null;
  const some = await readAskedCoupons(services, {
    // Many brands have a store with the same name.
    text: [text, brand].filter(Boolean).join(' '),
    merchantId: merchant?.id,
    isForCoupons: dealType === 'coupon',
  });
  return { ...some, tags: ['coupons'] };
}
