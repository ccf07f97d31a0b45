/** The tools for assistants, as described to them and on `/developers`. */
export const mcpToolWords = [
  {
    name: 'search_deals',
    title: 'Search deals',
    description:
      'Finds deals by words, category, store and price, with the evidence for each price. Without words it lists the newest. A price limit leaves out deals whose price the store wants hidden.',
  },
  {
    name: 'get_deal',
    title: 'Get a deal',
    description: 'One deal as its page shows it: price, evidence, store, availability.',
  },
  {
    name: 'price_history',
    title: 'Price history of a deal',
    description: 'What our own log has for a deal’s price: when it changed, and to what.',
  },
  {
    name: 'price_check',
    title: 'Check a price',
    description:
      'Whether a price agrees with our log: asked now, seen before, or never seen. Give exactly one of gtin, url and title. A title may find another product, so compare the titles.',
  },
  {
    name: 'list_places',
    title: 'List categories or stores',
    description: 'Categories or stores with their slugs and how many live deals each has.',
  },
  {
    name: 'list_coupons',
    title: 'List coupons',
    description:
      'Coupon codes of all stores or of one, newest first, and how often visitors reported that they work.',
  },
] as const;

export type McpToolName = (typeof mcpToolWords)[number]['name'];
