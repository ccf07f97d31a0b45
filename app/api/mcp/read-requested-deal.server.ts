import type { z } from 'zod';
import type { ApiCall } from '#app/api/v1/answer-api.server.ts';
import {
  findAskedDeal,
  priceHistoryAnswer,
  readDealFacts,
} from '#app/api/v1/deal-answers.server.ts';
import { describeHistory } from '#app/features/prices/describe-history.ts';
import { parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { inertText } from '#app/platform/inert-text.ts';
import type { historyQuery } from '#app/features/public-api/api-parameters.ts';
import type { dealDetail, priceHistory } from '#app/features/public-api/api-schemas.ts';
import { encodeDealDetail } from '#app/features/public-api/encode-deal.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { fromNumber, mostUnits } from '#app/platform/money.ts';
import { presentRefusal } from './mcp-answers.ts';

/** Facts of a request that every tool needs. */
export type McpCall = Pick<ApiCall, 'services' | 'site' | 'now' | 'anonymousAddress'>;

export type ToolResult = { ok: true; answer: object } | { ok: false; message: string };

/** The result, or the reason why there is none. */
export type Found<Answer extends z.ZodObject> =
  | { ok: true; answer: z.output<Answer> }
  | { ok: false; message: string };

export const refused = (result: Parameters<typeof presentRefusal>[0]) =>
  ({ ok: false, message: presentRefusal(result) }) as const;

/** Converts an assistant's price to minor units of the site's currency. */
export const inUnits = (price: number, { site }: McpCall) =>
  Math.min(fromNumber(price, site.currency), mostUnits);

/** Finds a deal by any of its names, including a former slug. */
export async function readDeal(
  call: McpCall,
  named: string | number,
): Promise<Found<typeof dealDetail>> {
  const found = await readDealWithProof(call, named);
  return found.ok ? { ok: true, answer: found.answer } : found;
}

/** Finds a deal like `readDeal`, and also returns the facts of its price log. */
export async function readDealWithProof(
  { services: { db }, site, now }: McpCall,
  named: string | number,
) {
  const key = keyOfDeal(String(named), site.origin);
  if (key === null)
    return { ok: false, message: 'Only addresses of deals on this site are supported.' } as const;
  let found = await findAskedDeal(db, key);
  if (!found.ok && found.status === 301)
    found = await findAskedDeal(db, found.location.split('/').at(-1) ?? '');
  if (!found.ok) return refused(found);
  const { deal } = found;
  const facts = await readDealFacts(db, deal, now);
  return { ok: true, answer: encodeDealDetail(deal, facts, site, now), deal, ...facts } as const;
}

function keyOfDeal(named: string, origin: string): string | null {
  if (/\p{Cc}/u.test(named)) return null;
  if (!/^https?:/i.test(named)) return named;
  const url = URL.parse(named);
  const [, key] = /^\/(?:deals|out)\/([\w-]{1,200})\/?$/.exec(url?.pathname ?? '') ?? [];
  return url?.origin === origin && key !== undefined ? key : null;
}

type Days = z.output<typeof historyQuery>['days'];

export async function readLog(
  call: McpCall,
  dealId: number,
  days: Days,
): Promise<Found<typeof priceHistory>> {
  const found = await priceHistoryAnswer.read({
    ...call,
    query: { days },
    key: String(dealId),
  });
  return found.ok ? found : refused(found);
}

/** Returns the sentence above the chart of the deal’s page, or the reason why there is none. */
export async function describeLog(
  { services, now }: McpCall,
  deal: z.output<typeof dealDetail>,
  { state, data }: z.output<typeof priceHistory>,
  days: Days,
): Promise<string[]> {
  if (state !== 'kept')
    return ['The store’s program does not allow us to show its earlier prices.'];
  const settings = await readSiteSettings(services.db);
  const entries = data.map(({ price, ...entry }) => ({ ...entry, sale_price: price.amount }));
  const shown = describeHistory(
    entries,
    { days: parseHistoryDays(days), now, endedAt: deal.is_expired ? deal.expires_at : null },
    settings,
  );
  if (!shown) return ['Our log has no price for it yet.'];
  return [shown.summary, ...(shown.movedNote ? [inertText(shown.movedNote)] : [])];
}
