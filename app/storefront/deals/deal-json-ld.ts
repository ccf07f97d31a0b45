import type {
  BreadcrumbList,
  ItemAvailability,
  Offer,
  Product,
  QuantitativeValue,
  UnitPriceSpecification,
  WithContext,
} from 'schema-dts';
import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { type Amount, units } from '#app/features/deals/net-contents.ts';
import type { UnitPrice } from '#app/features/prices/unit-price.ts';
import type { ShownPrice } from '#app/features/prices/judge-price.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { toDecimal } from '#app/platform/money.ts';
import { breadcrumbList } from '#app/storefront/chrome/breadcrumb-list.ts';
import { absolute } from '#app/storefront/chrome/page-meta.ts';

/** The deal as structured data, without a price that is hidden from visitors. */
export function dealJsonLd(
  deal: DealDetail,
  price: ShownPrice | null,
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
      ...(price ? { offers: offerOf(deal, price, site) } : {}),
    },
    breadcrumbList(site.origin, [
      { name: deal.category.name, path: `/categories/${deal.category.slug}` },
      { name: deal.title },
    ]),
  ];
}

function offerOf(deal: DealDetail, { unit }: ShownPrice, site: PublicSite): Offer {
  return {
    '@type': 'Offer',
    price: toDecimal(deal.sale_price, site.currency),
    priceCurrency: site.currency,
    ...(unit ? { priceSpecification: specifyUnitPrice(deal, unit, site) } : {}),
    ...availabilityOf(deal),
    itemCondition: conditionOf(deal),
    url: `${site.origin}/deals/${deal.slug}`,
    seller: { '@type': 'Organization', name: deal.merchant.name },
    ...(deal.expires_at ? { priceValidUntil: deal.expires_at.toISOString().slice(0, 10) } : {}),
  };
}

/**
 * Returns the deal's price with its net contents and the base of the unit price, in Google's
 * format.
 */
function specifyUnitPrice(
  deal: DealDetail,
  { amount, per }: UnitPrice,
  site: PublicSite,
): UnitPriceSpecification {
  return {
    '@type': 'UnitPriceSpecification',
    price: toDecimal(deal.sale_price, site.currency),
    priceCurrency: site.currency,
    referenceQuantity: { ...quantityOf(amount), valueReference: quantityOf(per) },
  };
}

function quantityOf({ quantity, unit }: Amount): QuantitativeValue & object {
  return { '@type': 'QuantitativeValue', value: quantity, unitCode: units[unit].code };
}

/** Returns the availability. Returns no property if the store does not report it. */
function availabilityOf(deal: DealDetail): { availability?: ItemAvailability } {
  if (deal.is_expired) return { availability: 'https://schema.org/Discontinued' };
  if (deal.availability === 'unknown') return {};
  const word = deal.availability === 'in_stock' ? 'InStock' : 'OutOfStock';
  return { availability: `https://schema.org/${word}` };
}

function conditionOf(deal: DealDetail) {
  if (deal.status === 'new') return 'https://schema.org/NewCondition';
  return deal.condition === 'refurbished'
    ? 'https://schema.org/RefurbishedCondition'
    : 'https://schema.org/UsedCondition';
}
