import type { AggregateOffer, BreadcrumbList, Offer, Product, WithContext } from 'schema-dts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import type { Comparison, PricedOffer } from '#app/features/products/compare-offers.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { toDecimal } from '#app/platform/money.ts';
import { breadcrumbList } from '#app/storefront/chrome/breadcrumb-list.ts';
import { absolute } from '#app/storefront/chrome/page-meta.ts';

interface DescribedProduct {
  title: string;
  slug: string;
  gtin: string | null;
  picture: string | null;
  category: { name: string; slug: string };
}

/** The product as structured data, with the offers that the headline compares. */
export function productJsonLd(
  product: DescribedProduct,
  { ranked, unstated, condition }: Comparison<DealSummary>,
  site: PublicSite,
): [WithContext<Product>, WithContext<BreadcrumbList>] {
  const { title, slug, gtin, picture, category } = product;
  const offers = [...ranked, ...unstated].filter((offer) => offer.condition === condition);
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: title,
      url: `${site.origin}/products/${slug}`,
      category: category.name,
      ...(gtin === null ? {} : { gtin }),
      ...(picture ? { image: absolute(picture, site.origin) } : {}),
      ...(offers.length > 0 ? { offers: aggregate(offers, site) } : {}),
    },
    breadcrumbList(site.origin, [
      { name: category.name, path: `/categories/${category.slug}` },
      { name: title },
    ]),
  ];
}

function aggregate(offers: readonly PricedOffer<DealSummary>[], site: PublicSite): AggregateOffer {
  const prices = offers.map(({ price }) => price);
  return {
    '@type': 'AggregateOffer',
    priceCurrency: site.currency,
    lowPrice: toDecimal(Math.min(...prices), site.currency),
    highPrice: toDecimal(Math.max(...prices), site.currency),
    offerCount: offers.length,
    offers: offers.map(({ deal, price }): Offer => ({
      '@type': 'Offer',
      price: toDecimal(price, site.currency),
      priceCurrency: site.currency,
      url: `${site.origin}/deals/${deal.slug}`,
      seller: { '@type': 'Organization', name: deal.merchant.name },
      ...(deal.availability === 'in_stock' ? { availability: 'https://schema.org/InStock' } : {}),
    })),
  };
}
