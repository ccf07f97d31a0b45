import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import {
  allOffers,
  type Comparison,
  countStores,
  storesFrom,
} from '#app/features/products/compare-offers.ts';
import { lowestOfAll } from '#app/features/products/lay-out-offer-chart.ts';
import { conditionSuffix, shippingWords } from '#app/features/products/offer-words.ts';
import { describeLow, type ProductPrices } from '#app/features/products/product-prices.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { describePicture, type ShareCard, sharePicturePath } from './share-card.server.ts';

interface SharedProduct {
  id: number;
  title: string;
  picture: string | null;
  isEnded: boolean;
}

/**
 * Returns the share picture of a product: the lowest price with its stores, the lowest price ever,
 * and the lowest prices of all stores as a line. As on a deal's picture, prices of a store that may
 * hide them later, or forbids tracking, are left out.
 */
export function shareProduct(
  { id, title, picture, isEnded }: SharedProduct,
  comparison: Comparison<DealSummary>,
  { lines, from, low }: Pick<ProductPrices, 'lines' | 'from' | 'low'>,
  settings: SiteSettings,
) {
  const { siteName, accent, logoUrl, currency } = settings;
  const { ranked, unstated, condition } = comparison;
  const best = storesFrom(
    {
      ranked: ranked.filter(({ deal }) => mayStay(deal)),
      unstated: unstated.filter(({ deal }) => mayStay(deal)),
    },
    condition,
  );
  const stores = countNoun(countStores(allOffers(comparison)), 'store');
  const isLowKept = low !== null && lines.some(({ deal }) => deal.id === low.id && mayStay(deal));
  const steps = lowestOfAll(
    lines.filter(({ deal }) => mayStay(deal)),
    from,
  );
  const card: ShareCard = {
    title,
    loud: best
      ? `From ${formatMoney(best.from, currency)}`
      : isEnded
        ? 'No longer on offer'
        : `Compare ${stores}`,
    loudSize: best ? 76 : 44,
    aside: best
      ? `${shippingWords(best.isTotal)}${conditionSuffix(condition)} at ${countNoun(best.isTotal ? best.compared : best.stores, 'store')}`
      : '',
    text: isLowKept ? describeLow(low, settings) : '',
    pictures: picture === null ? [] : [picture],
    layout: 'deal',
    lineName: 'Lowest price',
    site: { siteName, accent, logoUrl },
  };
  const linePrices = steps.map(({ price, isOffer }) => (isOffer ? price : null));
  const path = sharePicturePath('product', id, { ...card, linePrices });
  const offered = [card.loud, card.aside].filter((text) => text !== '').join(' ');
  const alt = `${title}: ${offered}.${card.text === '' ? '' : ` ${card.text}`}`;
  return { image: describePicture(path, alt), card, steps };
}

/**
 * Whether the store allows its prices to stay visible, since chats keep pictures for a long time.
 */
const mayStay = ({ merchant }: DealSummary) => merchant.hide_price_after_hours === null;
