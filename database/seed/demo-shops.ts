import shops from './demo-shops.json' with { type: 'json' };

/**
 * Demo categories and merchants. A merchant's `kinds` are the products it sells, and its `promises`
 * apply to every order. `freeShippingOver` is in cents, or null if the store always charges for
 * shipping.
 */
export const { categories: demoCategories, merchants: demoMerchants } = shops;

export type DemoMerchant = (typeof demoMerchants)[number];
