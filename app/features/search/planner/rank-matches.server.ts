import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { hasComparedPrice } from '#app/features/deals/deal-conditions.server.ts';
import { titleScorer } from './rank-titles.ts';
import type { SearchTerms } from './search-terms.server.ts';

interface Found {
  id: number;
  is_expired: boolean;
  tier: number;
  created_at: Date;
}

interface Evident {
  id: number;
  title: string;
  is_evident: boolean;
}

/** The minimum percentage below the usual price for a deal to rank higher. */
const leastBelowUsual = 5;
/** The tier of exact titles. */
const exactTitle = 0;
const partsOfWords = 3;

/**
 * Orders the deals found: exact titles first, then by how well the title fits, then deals that are
 * cheaper than usual, then the newest. Deals that contain only parts of words come last.
 */
export async function rankMatches(db: Db, terms: SearchTerms, found: Found[]): Promise<Found[]> {
  if (found.length < 2) return found;
  const rows = await ask(db).rows<Evident>`
    select id, title,
           coalesce((select p.below_usual from price_proofs p where p.deal_id = id), 0) >= ${leastBelowUsual}
             and ${hasComparedPrice} as is_evident
      from deals where id = any(${found.map(({ id }) => id)}::bigint[])`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const score = titleScorer(terms.concepts);
  return found
    .map((match) => {
      const { title = '', is_evident: isEvident = false } = known.get(match.id) ?? {};
      const { tier } = match;
      const group = tier === exactTitle ? 0 : tier < partsOfWords ? 1 : tier;
      return { match, group, score: score(title), isEvident };
    })
    .toSorted(
      (a, b) =>
        Number(a.match.is_expired) - Number(b.match.is_expired) ||
        a.group - b.group ||
        b.score - a.score ||
        Number(b.isEvident) - Number(a.isEvident) ||
        b.match.created_at.getTime() - a.match.created_at.getTime() ||
        b.match.id - a.match.id,
    )
    .map(({ match }) => match);
}
