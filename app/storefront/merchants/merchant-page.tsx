import { data, redirect } from 'react-router';
import type { Route } from './+types/merchant-page';
import {
  findMerchantRedirect,
  keptMerchant,
} from '#app/features/merchants/merchant-queries.server.ts';
import { keptStoreCheck } from '#app/features/prices/discount-check-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { countOfList } from '#app/storefront/deals/deal-count.ts';
import { dealListMeta } from '#app/storefront/deals/deal-list-meta.ts';
import { DealListSection } from '#app/storefront/deals/deal-list-section.tsx';
import { ListError } from '#app/storefront/deals/list-error.tsx';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { readDealList } from '#app/storefront/deals/read-deal-list.server.ts';
import { DiscountCheck } from './merchant-discount-check.tsx';
import { missingStoreMeta } from './missing-store-meta.ts';
import { MerchantHead } from './merchant-head.tsx';

export async function loader({ context, request, params }: Route.LoaderArgs) {
  // The database refuses control characters; no slug holds any.
  if (/\p{Cc}/u.test(params.slug)) throw data(null, { status: 404 });
  const services = appServices(context);
  const merchant = await keptMerchant(services, params.slug);
  if (!merchant) {
    const slug = await findMerchantRedirect(services.db, params.slug);
    if (slug) throw redirect(`/merchants/${slug}${new URL(request.url).search}`, 301);
    throw await answerNotFound(context, request);
  }
  const path = `/merchants/${merchant.slug}`;
  const [{ list, tags, until }, checked] = await Promise.all([
    readDealList(services, request, path, { merchantId: merchant.id }),
    keptStoreCheck(services, merchant.id),
  ]);
  allowPageCache(context, tags, until);
  const { name, slug, description, logo_url, website_url, free_shipping_over } = merchant;
  return {
    merchant: { name, slug, description, logo_url, website_url, free_shipping_over },
    list,
    checked,
  };
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  if (!loaderData) return missingStoreMeta(site, location.pathname);
  const { merchant, list } = loaderData;
  return dealListMeta({
    site,
    list,
    title: `${merchant.name} Deals`,
    description: merchant.description || `Deals at ${merchant.name}, each with its price history.`,
    image: merchant.logo_url,
    feedPath: `/feeds/deals.xml?merchant=${merchant.slug}`,
    crumbs: [
      { name: 'Stores', path: '/merchants' },
      { name: merchant.name, path: `/merchants/${merchant.slug}` },
    ],
  });
}

export default function MerchantPage({ loaderData }: Route.ComponentProps) {
  const { merchant, list, checked } = loaderData;
  return (
    <>
      <MerchantHead merchant={merchant} check={checked.check} />
      <DealListSection list={list} countText={countOfList(list, ` at ${merchant.name}`)} />
      <DiscountCheck store={merchant} checked={checked} />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ListError error={error} />;
}
