import { searchAnswer } from '#app/api/v1/deal-answers.server.ts';
import { encodeAsked } from '#app/api/v1/price-check-answer.server.ts';
import { findDealIdsByGtin } from '#app/features/deals/deal-queries.server.ts';
import { type MatchedBy, matchProduct } from '#app/features/search/match-product.server.ts';
import { readAskedProduct } from '#app/features/search/read-asked-product.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { searchQuery } from '#app/features/public-api/api-parameters.ts';
import { presentDeal, presentMoney } from './mcp-answers.ts';
import {
  inUnits,
  type McpCall,
  readDealWithProof,
  readLog,
  refused,
  describeLog,
  type ToolResult,
} from './read-requested-deal.server.ts';
import { pageOfSearch } from './search-deals.server.ts';

const mostChecked = 5;

interface CheckedPrice {
  price?: number | undefined;
  gtin?: string | undefined;
  url?: string | undefined;
  title?: string | undefined;
}

export async function checkPrice(input: CheckedPrice, call: McpCall): Promise<ToolResult> {
  const { price, gtin, url, title } = input;
  if ([gtin, url, title].filter((given) => given !== undefined).length !== 1) {
    return { ok: false, message: 'Give exactly one of gtin, url and title.' };
  }
  const named = await findNamed(call, input);
  if (!named.ok) return named;
  const amount = price === undefined ? null : inUnits(price, call);
  if (amount === 0) return { ok: false, message: 'No currency unit is as small as this price.' };
  const checks = [];
  for (const key of named.keys) {
    const found = await readDealWithProof(call, key);
    if (found.ok) checks.push(await checkOne(call, found, amount));
    else if (url !== undefined) return found;
  }
  const answer = {
    asked: amount === null ? null : presentMoney({ amount, currency: call.site.currency }),
    matched_by: named.by,
    page: named.page,
    evidence: checks.length > 0 ? ['See the evidence of each check.'] : ['No deal here matches.'],
    checks,
  };
  return { ok: true, answer };
}

type Named =
  | { ok: true; by: 'gtin' | 'url' | 'title'; keys: (string | number)[]; page: string }
  | { ok: false; message: string };

const matchedBy = { link: 'url', gtin: 'gtin', words: 'title' } as const satisfies Record<
  MatchedBy,
  string
>;

async function findNamed(call: McpCall, { gtin, url, title = '' }: CheckedPrice): Promise<Named> {
  const { origin } = call.site;
  if (url !== undefined) return findLinked(call, url);
  if (gtin !== undefined) {
    const keys = await findDealIdsByGtin(call.services.db, gtin, mostChecked);
    return { ok: true, by: 'gtin', keys, page: `${origin}/deals` };
  }
  const query = searchQuery.parse({ q: title });
  const found = await searchAnswer.read({ ...call, query, key: '' });
  if (!found.ok) return refused(found);
  const keys = found.answer.data.slice(0, mostChecked).map(({ id }) => id);
  const page = pageOfSearch(call.site, title);
  return { ok: true, by: 'title', keys, page };
}

/** Finds the deal of a URL: a page on this site, or a store's page as on `/check`. */
async function findLinked(call: McpCall, url: string): Promise<Named> {
  const { services, site, anonymousAddress } = call;
  const asked = readAskedProduct(new URLSearchParams({ url }), site.origin);
  if (asked.state !== 'asked') return { ok: true, by: 'url', keys: [url], page: url };
  if (anonymousAddress !== null) {
    const admitted = await limit(services, 'price-check', anonymousAddress);
    if (!admitted.ok) return refused({ ...admitted, status: 429 });
  }
  const { found } = await matchProduct(services.db, asked.product);
  return {
    ok: true,
    by: found ? matchedBy[found.by] : 'url',
    keys: found ? [found.deal.id] : [],
    page: `${site.origin}/check?${new URLSearchParams({ url })}`,
  };
}

type FoundDeal = Extract<Awaited<ReturnType<typeof readDealWithProof>>, { ok: true }>;

async function checkOne(call: McpCall, found: FoundDeal, amount: number | null) {
  const deal = found.answer;
  const log = await readLog(call, deal.id, 'all');
  const evidence = log.ok ? await describeLog(call, deal, log.answer, 'all') : [];
  const told = presentDeal(deal, false);
  return {
    ...(amount === null ? {} : compareWithLog(call, found, log, amount)),
    deal: { ...told, evidence: [...told.evidence, ...evidence] },
  };
}

/**
 * Compares a price with a deal's log: `now`, `before`, `never`, or `unknown` if the log may not be
 * shown.
 */
function compareWithLog(
  call: McpCall,
  found: FoundDeal,
  log: Awaited<ReturnType<typeof readLog>>,
  amount: number,
) {
  const deal = found.answer;
  const { verdict, compared } = encodeAsked(call, found, amount);
  const data = log.ok && log.answer.state === 'kept' ? log.answer.data : [];
  const seen = data.filter(({ price }) => price.amount === amount);
  const isNow = deal.price?.current.amount === amount;
  return {
    agrees_with_log: isNow
      ? 'now'
      : seen.length > 0
        ? 'before'
        : data.length > 0
          ? 'never'
          : 'unknown',
    current_is: deal.price ? compare(deal.price.current.amount, amount) : 'hidden',
    last_began_at_that_price: seen.at(-1)?.at.toISOString() ?? null,
    verdict,
    compared,
  };
}

function compare(current: number, asked: number): 'the same' | 'lower' | 'higher' {
  if (current === asked) return 'the same';
  return current < asked ? 'lower' : 'higher';
}
