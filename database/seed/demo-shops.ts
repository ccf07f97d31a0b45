import shops from './demo-shops.json' with { type: 'json' };

/**
 * A merchant's `kinds` are the products it sells, and its `promises` hold for every order.
 * `freeShippingOver` is in cents, or null if the shop always charges for shipping.
 */
export const { categories: demoCategories, merchants: demoMerchants } = shops;

export type DemoMerchant = (typeof demoMerchants)[number];
