/** The buttons above the questions, in the specification's order. `all` is none of them. */
export const faqCategories = {
  account: 'Account',
  favorites: 'Favorites',
  'price-alerts': 'Price Alerts',
  deals: 'Deals',
  newsletter: 'Newsletter',
  support: 'Support',
  general: 'General',
  suggestions: 'Suggestions',
  shipping: 'Shipping',
} as const;

export type FaqCategory = keyof typeof faqCategories;

export function isFaqCategory(name: string): name is FaqCategory {
  return Object.hasOwn(faqCategories, name);
}
