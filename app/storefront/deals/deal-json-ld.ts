import type { BreadcrumbList, Offer, Product, WithContext } from 'schema-dts';
import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { centsToDecimal } from '#app/platform/money.ts';
import { absolute } from '#app/storefront/chrome/page-meta.ts';

/** The deal as machines read it. A price that visitors may not see is not told to machines either. */
export function dealJsonLd(
  deal: DealDetail,
  now: Date,
  site: PublicSite,
): [WithContext<Product>, WithContext<BreadcrumbList>] {
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: deal.title,
      url: `${site.origin}/deals/${deal.slug}`,
      category: deal.category.name,
      ...(deal.description ? { description: deal.description } : {}),
      ...(deal.image_url ? { image: absolute(deal.image_url, site.origin) } : {}),
      ...(deal.brand ? { brand: { '@type': 'Brand', name: deal.brand } } : {}),
      ...(deal.gtin ? { gtin: deal.gtin } : {}),
      ...(isPriceHidden(deal, now) ? {} : { offers: offerOf(deal, site) }),
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home', item: `${site.origin}/` },
        {
          '@type': 'ListItem',
          position: 2,
          name: deal.category.name,
          item: `${site.origin}/categories/${deal.category.slug}`,
        },
        { '@type': 'ListItem', position: 3, name: deal.title },
      ],
    },
  ];
}

function offerOf(deal: DealDetail, site: PublicSite): Offer {
  return {
    '@type': 'Offer',
    price: centsToDecimal(deal.sale_price),
    priceCurrency: site.currency,
    availability: availabilityOf(deal),
    itemCondition: conditionOf(deal),
    url: `${site.origin}/deals/${deal.slug}`,
    seller: { '@type': 'Organization', name: deal.merchant.name },
    ...(deal.expires_at ? { priceValidUntil: deal.expires_at.toISOString().slice(0, 10) } : {}),
  };
}

function availabilityOf(deal: DealDetail) {
  if (deal.is_expired) return 'https://schema.org/Discontinued';
  if (deal.availability === 'out_of_stock') return 'https://schema.org/OutOfStock';
  return 'https://schema.org/InStock';
}

function conditionOf(deal: DealDetail) {
  if (deal.status === 'new') return 'https://schema.org/NewCondition';
  return deal.condition === 'refurbished'
    ? 'https://schema.org/RefurbishedCondition'
    : 'https://schema.org/UsedCondition';
}
