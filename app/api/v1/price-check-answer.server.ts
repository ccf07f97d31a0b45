import { checkGtin } from '#app/features/deals/gtin.ts';
import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { judgeAskedPrice } from '#app/features/prices/judge-asked-price.server.ts';
import type { PriceProof } from '#app/features/prices/price-proof.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { asMoney, encodeDealDetail } from '#app/features/public-api/encode-deal.ts';
import { matchSentences } from '#app/features/search/describe-match.ts';
import { matchProduct } from '#app/features/search/match-product.server.ts';
import { readNamedProduct } from '#app/features/search/read-asked-product.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { type ApiCall, apiAnswer } from './answer-api.server.ts';
import { encodeDeals, readDealFacts } from './deal-answers.server.ts';

type Call = ApiCall<typeof apiOperations.checkPrice.query>;
type Found = NonNullable<Awaited<ReturnType<typeof matchProduct>>['found']>;

/** Checks a product as the page `/check` does. */
export const priceCheckAnswer = apiAnswer(apiOperations.checkPrice, async (call) => {
  const { services, site, query, anonymousAddress } = call;
  const wrong = (parameter: string, detail: string) => ({
    ok: false as const,
    status: 422 as const,
    errors: [{ parameter, detail }],
  });
  const gtin = query.gtin === undefined ? null : checkGtin(query.gtin);
  if (gtin && !gtin.ok) return wrong('gtin', `Not a valid GTIN: ${gtin.reason}.`);
  const named = readNamedProduct(query, site.origin);
  if (!named.ok) return wrong('url', named.error);
  const product = {
    ...named.product,
    gtins: [...(gtin ? [gtin.gtin] : []), ...named.product.gtins],
  };
  if (product.host === '' && product.gtins.length === 0 && product.words === '') {
    return wrong('url', 'Give the link, the GTIN or the name of a product.');
  }
  if (anonymousAddress !== null) {
    const admitted = await limit(services, 'price-check', anonymousAddress);
    if (!admitted.ok) return { ...admitted, status: 429 };
  }
  const { found, others, nearest } = await matchProduct(services.db, product);
  return {
    ok: true,
    answer: {
      matched_by: found?.by ?? null,
      matched_text: found ? matchSentences[found.by] : null,
      ...(found ? await encodeFound(call, found) : { deal: null, asked: null }),
      others: await encodeDeals(services.db, others, call),
      nearest: await encodeDeals(services.db, nearest, call),
    },
  };
});

async function encodeFound(call: Call, { deal }: Found) {
  const {
    services: { db },
    site,
    now,
    query: { price, currency = site.currency },
  } = call;
  const facts = await readDealFacts(db, deal, now);
  return {
    deal: encodeDealDetail(deal, facts, site, now),
    asked:
      price === undefined || currency !== site.currency
        ? null
        : encodeAsked(call, { deal, proof: facts.proof }, price),
  };
}

/** Compares a client's price, in minor units, with a deal's price and log. */
export function encodeAsked(
  { site, now }: Pick<ApiCall, 'site' | 'now'>,
  found: { deal: DealDetail; proof: PriceProof },
  price: number,
) {
  const { verdict, compared } = judgeAskedPrice(found, price, site, now);
  return {
    price: asMoney(price, site.currency),
    verdict: verdict && verdict.price + verdict.rest,
    compared,
  };
}
