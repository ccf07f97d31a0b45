import type { EditableMerchant } from '#app/features/merchants/editable-merchants.server.ts';
import { centsToDecimal } from '#app/platform/money.ts';

/** A merchant as the texts of its form. */
export function merchantTexts(merchant: EditableMerchant): Record<string, string> {
  const tick = (isTicked: boolean) => (isTicked ? 'on' : '');
  return {
    name: merchant.name,
    slug: merchant.slug,
    description: merchant.description,
    logo_url: merchant.logo_url ?? '',
    website_url: merchant.website_url ?? '',
    is_featured: tick(merchant.is_featured),
    affiliate_template: merchant.affiliate_template ?? '',
    affiliate_sub_id: merchant.affiliate_sub_id ?? '',
    free_shipping_over:
      merchant.free_shipping_over === null ? '' : centsToDecimal(merchant.free_shipping_over),
    keep_history: tick(merchant.keep_history),
    allow_alerts: tick(merchant.allow_alerts),
    hide_price_after_hours: String(merchant.hide_price_after_hours ?? ''),
    show_price_timestamp: tick(merchant.show_price_timestamp),
    price_disclaimer: merchant.price_disclaimer ?? '',
  };
}
