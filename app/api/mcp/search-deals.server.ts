import { listDealsAnswer, searchAnswer } from '#app/api/v1/deal-answers.server.ts';
import { type EvidenceFilter, searchParameters } from '#app/features/deals/deal-list-input.ts';
import { dealListQuery, searchQuery } from '#app/features/public-api/api-parameters.ts';
import { writeParameters } from '#app/platform/page-parameters.ts';
import { presentDeal } from './mcp-answers.ts';
import { inUnits, type McpCall, refused, type ToolResult } from './read-requested-deal.server.ts';

interface Search {
  query: string;
  category?: string | undefined;
  store?: string | undefined;
  min_price?: number | undefined;
  max_price?: number | undefined;
  evidence?: EvidenceFilter | undefined;
  sort: 'best' | 'newest' | 'price_low' | 'price_high' | 'discount';
  page: number;
  with_descriptions: boolean;
}

export async function searchDeals(input: Search, call: McpCall): Promise<ToolResult> {
  const { sort, page, category, store: merchant, evidence } = input;
  const q = input.query.trim();
  const asked = { ...call, key: '' };
  const priceIn = (price: number | undefined) =>
    price === undefined ? undefined : inUnits(price, call);
  const narrowed = {
    page,
    category,
    merchant,
    evidence,
    min_price: priceIn(input.min_price),
    max_price: priceIn(input.max_price),
  };
  if (q !== '' && sort === 'discount') {
    return {
      ok: false,
      message: 'discount sorts only lists without search words. Omit the words, or sort by best.',
    };
  }
  const order = sort === 'best' ? {} : { sort };
  const found =
    q === ''
      ? await listDealsAnswer.read({
          ...asked,
          query: dealListQuery.parse({ ...narrowed, ...order }),
        })
      : await searchAnswer.read({
          ...asked,
          query: searchQuery.parse({ ...narrowed, ...order, q: q.padEnd(2) }),
        });
  if (!found.ok) return refused(found);
  const { data, page: pages, ...more } = found.answer;
  const answer = {
    page: pageOfSearch(call.site, q, narrowed),
    evidence: ['See the evidence of each deal.'],
    ...('corrected_query' in more
      ? { searched_for: more.corrected_query ?? q, left_out: more.left_out }
      : {}),
    deals: data.map((deal) => presentDeal(deal, input.with_descriptions)),
    pages,
  };
  return { ok: true, answer };
}

/**
 * Returns the page where a person sees the same deals: a search, or the list of a scope or of all
 * deals.
 */
export function pageOfSearch(
  { origin, currency }: McpCall['site'],
  query: string,
  {
    category,
    merchant,
    page = 1,
    evidence,
    min_price: minPrice,
    max_price: maxPrice,
  }: {
    category?: string | undefined;
    merchant?: string | undefined;
    page?: number;
    evidence?: EvidenceFilter | undefined;
    min_price?: number | undefined;
    max_price?: number | undefined;
  } = {},
): string {
  const ofPlace = category ? `/categories/${category}` : merchant ? `/merchants/${merchant}` : null;
  const path = query === '' ? (ofPlace ?? '/deals') : '/';
  const texts = writeParameters(searchParameters(currency), {
    page,
    ...(evidence && { evidence }),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
    ...(query === ''
      ? {}
      : { query, ...(category && { category }), ...(merchant && { merchant }) }),
  });
  const search = new URLSearchParams(Object.entries(texts).filter(([, text]) => text !== ''));
  return `${origin}${path}${search.size > 0 ? `?${search}` : ''}`;
}
