import type { Verdict } from '#database/schema/catalog-tables.ts';
import type { ClaimingSite } from './price-claims.ts';
import { describeReduction, leftOutWords, verdictWords } from './discount-check.ts';
import type { ListedReduction } from './discount-check-queries.server.ts';
import { isPriceHidden } from './hide-price.ts';
import { sparklinePath } from './sparkline.ts';

const day = 86_400_000;

/** A reduction ready to be shown, without hidden prices or the name of a hidden deal. */
export interface ShownReduction {
  /** The anchor of the reduction in its list. */
  anchor: string;
  deal: { slug: string; title: string } | null;
  began_at: Date;
  announced: string;
  facts: string[];
  verdict: { kind: Verdict; words: string };
  /** The price from 90 days before the reduction to a week after, as an SVG path. */
  line: string | null;
}

export function showReduction(
  row: ListedReduction,
  { currency }: Pick<ClaimingSite, 'currency'>,
  now: Date,
): ShownReduction {
  const { deal_id, slug, title, is_active, began_at, steps, left_out, verdict } = row;
  const { hide_price_after_hours, price_checked_at } = row;
  const isHidden = isPriceHidden({ price_checked_at, merchant: { hide_price_after_hours } }, now);
  const from = began_at.getTime() - 90 * day;
  const to = new Date(Math.min(began_at.getTime() + 7 * day, now.getTime()));
  const points = steps.map(([at, price]) => ({ at: new Date(Math.max(at, from)), price }));
  const words = left_out ? leftOutWords[left_out] : verdictWords[verdict];
  return {
    anchor: `deal-${deal_id}-${began_at.toISOString().slice(0, 10)}`,
    deal: is_active ? { slug, title } : null,
    began_at,
    ...describeReduction(row, currency, isHidden),
    verdict: { kind: left_out ? 'unknown' : verdict, words },
    line: isHidden ? null : sparklinePath(points, to),
  };
}
