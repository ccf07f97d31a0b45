import type { Route } from './+types/merchant-page';
import { CouponSection } from '#app/features/coupons/coupon-list.tsx';
import { earlier, readStoreCoupons } from '#app/features/coupons/read-coupons.server.ts';
import { describeMerchant } from '#app/features/merchants/describe-merchant.ts';
import { cachedMerchant } from '#app/features/merchants/merchant-queries.server.ts';
import { cachedStoreCheck } from '#app/features/prices/discount-check-queries.server.ts';
import { shareMerchant } from '#app/features/share-pictures/share-page.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { missingMeta } from '#app/storefront/chrome/page-meta.ts';
import { countOfList } from '#app/storefront/deals/deal-count.ts';
import { dealListMeta } from '#app/storefront/deals/deal-list-meta.ts';
import { DealListSection } from '#app/storefront/deals/deal-list-section.tsx';
import { ListError } from '#app/storefront/deals/list-error.tsx';
import { answerFormerSlug } from '#app/storefront/not-found/answer-not-found.server.ts';
import { readDealList } from '#app/storefront/deals/read-deal-list.server.ts';
import { DiscountCheck } from './merchant-discount-check.tsx';
import { MerchantHead } from './merchant-head.tsx';

const mostCoupons = 6;

export async function loader(asked: Route.LoaderArgs) {
  const { context, request, params } = asked;
  const services = appServices(context);
  const [merchant, settings] = await Promise.all([
    cachedMerchant(services, params.slug),
    cachedSettings(services),
  ]);
  if (!merchant) throw await answerFormerSlug(asked, 'merchants');
  const path = `/merchants/${merchant.slug}`;
  const [{ list, tags, until }, checked, coupons] = await Promise.all([
    readDealList(services, request, path, { merchantId: merchant.id }),
    cachedStoreCheck(services, merchant.id),
    readStoreCoupons(services, merchant.id, mostCoupons),
  ]);
  const couponTag = `coupons:merchant:${merchant.id}`;
  allowPageCache(context, [...tags, couponTag], earlier(until, coupons.changesAt));
  const head = describeMerchant(merchant);
  const { image } = shareMerchant(merchant, checked.check, settings);
  const { id, name, slug, description, logo_url, website_url, free_shipping_over } = merchant;
  return {
    merchant: { id, name, slug, description, logo_url, website_url, free_shipping_over },
    noindex: merchant.noindex,
    head: { ...head, image: head.image ?? image },
    list,
    checked,
    coupons,
  };
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This store does not exist.');
  const { merchant, noindex, head, list } = loaderData;
  return dealListMeta({
    ...head,
    noindex,
    site: matches[0].loaderData?.site,
    list,
    feedPath: `/feeds/deals.xml?merchant=${merchant.slug}`,
    crumbs: [
      { name: 'Stores', path: '/merchants' },
      { name: merchant.name, path: `/merchants/${merchant.slug}` },
    ],
  });
}

export default function MerchantPage({ loaderData }: Route.ComponentProps) {
  const { merchant, list, checked, coupons } = loaderData;
  return (
    <>
      <MerchantHead merchant={merchant} check={checked.check} />
      <CouponSection some={coupons} store={merchant} now={list.now} />
      <DealListSection list={list} countText={countOfList(list, ` at ${merchant.name}`)} />
      <DiscountCheck store={merchant} checked={checked} />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ListError error={error} />;
}
