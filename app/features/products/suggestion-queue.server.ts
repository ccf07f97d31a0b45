import { sql } from 'kysely';
import type { DealColumns } from '#app/features/deals/deal-columns.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Verdict } from './judge-pair.server.ts';
import type { MatchReason } from './suggest-pair.ts';

/** One of two deals that staff compare. */
export type SuggestedDeal = DealColumns<
  | 'id'
  | 'slug'
  | 'title'
  | 'image_url'
  | 'sale_price'
  | 'currency'
  | 'availability'
  | 'brand'
  | 'gtin'
  | 'mpn'
> & {
  merchant: string;
  /** The number of offers of its product, or 0 if it has no product. */
  offers: number;
};

/** Two live deals that may be the same product. `hide` hides the second one. */
export interface Suggestion {
  reason: MatchReason;
  score: number;
  isSameMerchant: boolean;
  deals: [SuggestedDeal, SuggestedDeal];
}

/** suggestions per page */
export const suggestionsPerPage = 20;

/** Returns a page of the best open suggestions, each with the better offer first. */
export function listSuggestions(db: Db, page: number): Promise<Suggestion[]> {
  return ask(db).rows<Suggestion>`
    select s.reason, s.score, a.merchant_id = b.merchant_id as "isSameMerchant",
           case when (a.availability = 'out_of_stock', a.sale_price, a.id) < (b.availability = 'out_of_stock', b.sale_price, b.id)
                then json_build_array(${dealJson('a')}, ${dealJson('b')})
                else json_build_array(${dealJson('b')}, ${dealJson('a')}) end as deals
      from match_suggestions s join deals a on a.id = s.deal_id join deals b on b.id = s.other_id
     where ${isOpen}
     order by s.score desc, s.deal_id, s.other_id
     limit ${suggestionsPerPage} offset ${(page - 1) * suggestionsPerPage}`;
}

/** Excludes suggestions whose deals have changed and that the job has not removed yet. */
const isOpen = sql`
  a.is_active and not a.is_expired and b.is_active and not b.is_expired
  and (a.product_id is null or a.product_id is distinct from b.product_id)
  and not exists (select from duplicate_dismissals x where x.deal_id = s.deal_id and x.other_id = s.other_id)`;

function dealJson(alias: 'a' | 'b') {
  const d = sql.ref(alias);
  return sql`json_build_object('id', ${d}.id, 'slug', ${d}.slug, 'title', ${d}.title, 'image_url', ${d}.image_url,
    'sale_price', ${d}.sale_price, 'currency', ${d}.currency, 'availability', ${d}.availability, 'brand', ${d}.brand,
    'gtin', ${d}.gtin, 'mpn', ${d}.mpn, 'merchant', (select name from merchants where id = ${d}.merchant_id),
    'offers', (select count(*) from deals o where o.product_id = ${d}.product_id))`;
}

/** Returns the number of open suggestions. */
export async function countSuggestions(db: Db): Promise<number> {
  return (
    (await ask(db).value<number>`
      select count(*)::int from match_suggestions s join deals a on a.id = s.deal_id join deals b on b.id = s.other_id
       where ${isOpen}`) ?? 0
  );
}

/** The decisions on suggestions of a rule. */
export interface RuleRecord {
  accepted: number;
  judged: number;
}

/** Returns each rule's decisions in the last 400 days. */
export async function readRuleRecords(db: Db): Promise<Record<string, RuleRecord>> {
  const rows = await ask(db).rows<RuleRecord & { reason: string }>`
    select reason, count(*)::int as judged,
           (count(*) filter (where verdict in ('same', 'hide') or (reason = 'group' and verdict = 'variant')))::int as accepted
      from match_decisions group by reason`;
  return Object.fromEntries(rows.map(({ reason, ...record }) => [reason, record]));
}

/** The last decision of a staff member, which can be undone. */
export interface LastDecision {
  id: number;
  one: number;
  other: number;
  verdict: Verdict;
  /** The first title, or `null` if the deal is gone. */
  title: string | null;
}

/** Returns the actor's last decision of today, or `null`. */
export function findLastDecision(db: Db, actor: string): Promise<LastDecision | null> {
  return ask(db).row<LastDecision>`
    select m.id, m.deal_id as one, m.other_id as other, m.verdict, (select title from deals where id = m.deal_id) as title
      from match_decisions m
     where m.actor = ${actor} and m.at > now() - interval '1 day' order by m.id desc limit 1`;
}
