const hour = 3_600_000;

/** Returns whether the merchant's program requires hiding an old price: "See price at store". */
export function isPriceHidden(
  deal: { price_checked_at: Date; merchant: { hide_price_after_hours: number | null } },
  now: Date,
): boolean {
  const hours = deal.merchant.hide_price_after_hours;
  return hours !== null && now.getTime() - deal.price_checked_at.getTime() > hours * hour;
}
