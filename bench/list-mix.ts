import { listSorts } from '#app/features/deals/deal-sorts.ts';
import type { Db } from '#database/connect.ts';

const filters = [
  '',
  'status=new',
  'status=used',
  'seller=amazon',
  'seller=third_party',
  'type=coupon',
  'type=featured',
  'off=20',
  'off=40',
  'max=100',
  'min=20&max=300',
];
const pages = [1, 1, 2, 3];
const stores = 60;
/** cards; a list with fewer is not typical */
const leastCards = 12;

/**
 * Returns `count` URLs of lists with various filters, sort orders and pages, each with at least
 * `leastCards` deals. The same shop always yields the same URLs.
 */
export async function findLists(db: Db, count: number, origin: string): Promise<string[]> {
  const categories = await db.selectFrom('categories').select('slug').orderBy('id').execute();
  const merchants = await db
    .selectFrom('merchants')
    .select('slug')
    .orderBy('deal_count', 'desc')
    .orderBy('id')
    .limit(stores)
    .execute();
  const places = [
    '/deals',
    ...categories.map(({ slug }) => `/categories/${slug}`),
    ...merchants.map(({ slug }) => `/merchants/${slug}`),
  ];
  const found = new Set<string>();
  for (let n = 0; found.size < count && n < 50 * count; n++) {
    const address = addressOf(places, n);
    if (!found.has(address) && (await isList(origin + address))) found.add(address);
  }
  if (found.size < count) throw new Error(`The shop has only ${found.size} such lists.`);
  return [...found];
}

function addressOf(places: string[], n: number): string {
  // Coprime factors combine every category and store with every filter, order and page.
  const pick = <One>(from: readonly One[], factor: number) => from[(n * factor) % from.length];
  const page = pick(pages, 3) ?? 1;
  const sort = listSorts[Math.floor(n / 3) % listSorts.length] ?? 'newest';
  const query = [
    filters[Math.floor(n / 2) % filters.length] ?? '',
    sort === 'newest' ? '' : `sort=${sort}`,
    page === 1 ? '' : `page=${page}`,
  ];
  const text = query.filter((part) => part !== '').join('&');
  return `${pick(places, 7) ?? '/deals'}${text && `?${text}`}`;
}

async function isList(url: string): Promise<boolean> {
  const response = await fetch(url, { redirect: 'manual' });
  const html = await response.text();
  return response.status === 200 && (html.match(/<article/g)?.length ?? 0) >= leastCards;
}
