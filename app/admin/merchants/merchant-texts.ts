import type { EditableMerchant } from '#app/features/merchants/editable-merchants.server.ts';
import { searchLabels } from '#app/features/catalog/search-fields.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { toDecimal } from '#app/platform/money.ts';

/** The labels of the fields, in the order of the form. */
export const merchantLabels = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  logo_url: 'Logo URL',
  website_url: 'Website URL',
  seller_type: 'Seller type of new deals',
  is_featured: 'Featured Merchant',
  affiliate_template: 'Affiliate template',
  affiliate_sub_id: 'Sub-id',
  sub_id_network: 'Sub-ids for earnings',
  free_shipping_over: 'Free shipping over',
  standard_shipping: 'Shipping cost',
  matches_freely: 'Compare its deals with other stores without a review',
  keep_history: 'Keep and show price history',
  allow_alerts: 'Allow price alerts',
  hide_price_after_hours: 'Hide the price after (hours)',
  show_price_timestamp: 'Show when the price was checked',
  price_disclaimer: 'Price disclaimer',
  keeps_pictures: 'Serve its pictures from this site',
  check_reply: 'Reply to the discount check',
  ...searchLabels,
  share_image_url: 'Picture when shared',
};

/** Returns a merchant's form values as text. */
export function merchantTexts(
  merchant: EditableMerchant,
  currency: string,
): Record<string, string> {
  const typed = (sum: number | null) => (sum === null ? '' : toDecimal(sum, currency));
  return {
    ...rowTexts(merchant),
    free_shipping_over: typed(merchant.free_shipping_over),
    standard_shipping: typed(merchant.standard_shipping),
  };
}
