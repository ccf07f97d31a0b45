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
    description: 'Returns a deal as its page shows it: price, evidence, store, availability.',
  },
  {
    name: 'compare_offers',
    title: 'Compare the stores of a product',
    description:
      'Lists the offers of one product at several stores, with shipping and total. Give the product that other_stores of a deal names.',
  },
  {
    name: 'price_history',
    title: 'Price history of a deal',
    description: 'Lists the changes of a deal’s price in our own log, with their times.',
  },
  {
    name: 'price_check',
    title: 'Check a price',
    description:
      'Finds the deals of a product. With a price, it reports whether our log has this price now, before or never, and compares it with the usual price. Give exactly one of gtin, url and title. A title may find another product, so compare the titles.',
  },
  {
    name: 'list_places',
    title: 'List categories or stores',
    description: 'Lists categories or stores with their slugs and numbers of live deals.',
  },
  {
    name: 'list_coupons',
    title: 'List coupons',
    description:
      'Lists coupon codes of all stores or of one, newest first, with visitors’ reports on whether they work.',
  },
] as const;

export type McpToolName = (typeof mcpToolWords)[number]['name'];
