/** The shipping costs of a deal and its store, in minor units. */
export interface ShippedDeal {
  sale_price: number;
  shipping_cost: number | null;
  merchant: { free_shipping_over: number | null; standard_shipping: number | null };
}

/** Returns a deal's shipping cost, by default its store's, or `null` if unknown. */
export function shippingOf({ sale_price, shipping_cost, merchant }: ShippedDeal): number | null {
  const { free_shipping_over, standard_shipping } = merchant;
  if (shipping_cost !== null) return shipping_cost;
  if (free_shipping_over !== null && sale_price >= free_shipping_over) return 0;
  return standard_shipping;
}
