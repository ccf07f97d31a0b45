import { countNoun } from '#app/platform/count-noun.ts';

interface News {
  name: string;
  count: number;
  coupons: readonly unknown[];
  fall: { title: string; store: string; price: string } | null;
}

/**
 * Returns the news in one line: the price drop of a product, or the numbers of deals and coupons.
 */
export function newsTitle(news: News): string {
  const { fall, name } = news;
  if (fall) return `Now ${fall.price} at ${fall.store}: ${fall.title}`;
  return `${countNews(news)}: ${name}`;
}

/** Returns a text such as `2 new deals and 1 new coupon`. */
export function countNews({ count, coupons }: Pick<News, 'count' | 'coupons'>): string {
  const parts = [
    count > 0 ? countNoun(count, 'new deal') : '',
    coupons.length > 0 ? countNoun(coupons.length, 'new coupon') : '',
  ];
  return parts.filter(Boolean).join(' and ');
}
