import shops from './demo-shops.json' with { type: 'json' };

/**
 * Demo categories and merchants. `kinds` are the kinds of products that a merchant sells, and
 * `promises` apply to every order. `freeShippingOver` is in cents, or null if the store always
 * charges for shipping. `standardShipping` is in cents, or null if the store does not state it.
 */
export const { categories: demoCategories, merchants: demoMerchants } = shops;

export type DemoMerchant = (typeof demoMerchants)[number];
