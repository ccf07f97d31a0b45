import { findCategoryBySlug } from '#app/features/categories/category-queries.server.ts';
import { matchingTraits } from '#app/features/deals/deal-conditions.server.ts';
import { pillLabel } from '#app/features/deals/deal-filter-options.ts';
import { activeFilters, listHref } from '#app/features/deals/deal-list-address.ts';
import {
  type DealListInput,
  filterOf,
  listAddress,
  parseDealListInput,
  parseSearchInput,
} from '#app/features/deals/deal-list-input.ts';
import { findMerchantBySlug } from '#app/features/merchants/merchant-queries.server.ts';
import { readSearchTerms } from '#app/features/search/planner/find-matching-deals.server.ts';
import { fold } from '#app/platform/fold.ts';
import type { Db } from '#database/connect.ts';
import { watchedAddress } from './watched-address.ts';
import { readProductWish } from './product-wish.server.ts';
import { isOfProduct, type ReadWatchable } from './watchable.ts';
import { watchMessages } from './watch-messages.ts';

const everyTrait = 16;

/** Parses the URL of a list or a search, without its order and page, or the wish of a product. */
export async function readWatchable(
  db: Db,
  href: string,
  currency: string,
): Promise<ReadWatchable> {
  if (isOfProduct(href)) {
    const watchable = await readProductWish(db, href, currency);
    return watchable ? { ok: true, watchable } : refuse(watchMessages.unwatchable);
  }
  const asked = await readPlaces(db, href, currency);
  if (!asked) return refuse(watchMessages.unwatchable);
  const { path, input, category, merchant } = asked;
  const filter = filterOf(input);
  const { status, condition, sellerType, dealType, evidence, off, brand, ...rest } = filter;
  const { minPrice, maxPrice, ...others } = rest;
  // A filter that is unknown here would be dropped unnoticed.
  if (Object.values(others).some((value) => value !== undefined)) {
    return refuse(watchMessages.unwatchable);
  }
  const { words, keys } = await readWatchedWords(db, input);
  const [key_word = null, ...other_keys] = keys;
  if (input.query && words === null) return refuse(watchMessages.tooVague);
  const address = listAddress(path, input, currency);
  const places = { category: category ? [category] : [], merchant: merchant ? [merchant] : [] };
  const pills = activeFilters(address).map((one) => pillLabel(one, places, currency));
  const place = path === '/deals' ? 'All deals' : (category ?? merchant)?.name;
  const traits = matchingTraits({ status, condition, sellerType, dealType });
  return {
    ok: true,
    watchable: {
      address: watchedAddress(listHref(address)),
      name: [input.query ? `“${input.query}”` : place, ...pills].join(', '),
      words,
      key_word,
      other_keys,
      category_id: category?.id ?? null,
      merchant_id: merchant?.id ?? null,
      traits: traits.length === everyTrait ? null : traits,
      min_price: minPrice ?? null,
      max_price: maxPrice ?? null,
      ends_soon: dealType === 'expiring',
      evidence: evidence ?? null,
      condition: condition ?? null,
      off: off ?? null,
      brand: brand ? fold(brand) : null,
      product_id: null,
      offer_class: null,
      with_shipping: null,
    },
  };
}

const refuse = (message: string) => ({ ok: false, message }) as const;

/**
 * Returns the category and store of a list's URL. Returns `null` if the URL is not that of a list,
 * or they do not exist.
 */
async function readPlaces(db: Db, href: string, currency: string) {
  if (!/^\/[^/\\]/.test(href) || !URL.canParse(href, 'http://list.invalid')) return null;
  const { pathname, searchParams } = new URL(href, 'http://list.invalid');
  const [, kind, slug] = /^\/(deals|categories\/|merchants\/)([a-z0-9-]*)$/.exec(pathname) ?? [];
  if (kind === undefined || (kind === 'deals') !== (slug === '')) return null;
  const input: DealListInput =
    kind === 'deals'
      ? parseSearchInput(searchParams, currency)
      : parseDealListInput(searchParams, currency);
  const categorySlug = kind === 'categories/' ? slug : input.category;
  const merchantSlug = kind === 'merchants/' ? slug : input.merchant;
  const category = categorySlug ? await findCategoryBySlug(db, categorySlug) : null;
  const merchant = merchantSlug ? await findMerchantBySlug(db, merchantSlug) : null;
  const isMissing = (categorySlug && !category) || (merchantSlug && !merchant);
  return isMissing ? null : { path: pathname, input, category, merchant };
}

/** Returns the words of a watch. A watch matches synonyms and names like the search does. */
async function readWatchedWords(db: Db, { query, isExact }: DealListInput) {
  if (!query) return { words: null, keys: [] };
  return (await readSearchTerms(db, query, { isExact: isExact === true })).watched;
}
