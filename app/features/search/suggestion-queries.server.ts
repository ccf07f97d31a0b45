import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { containsIn, foldedContains } from '#app/platform/contains-in.server.ts';
import { fold } from '#app/platform/fold.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { thumbnail } from '#app/features/pictures/picture-files.ts';
import { shortestSuggestion, type Suggestion as ShownSuggestion } from './suggestion.ts';
import {
  queryOf,
  readSearchTerms,
  type SearchTerms,
} from './planner/find-matching-deals.server.ts';

export interface Suggestion extends ShownSuggestion {
  slug: string;
  image_url: string | null;
}

const mostSuggestions = 5;
const mostDeals = 3;
const mostNames = 2;
const popularCategories = 5;
const popularMerchants = 3;

/**
 * The maximum number of matches that are read completely. If there are more, only the newest
 * `newestScanned` deals are scanned.
 */
const readAllUpTo = 1_500;
const newestScanned = 4_000;

/**
 * Returns at most five completions of the typed text, chosen from three titles, two categories and
 * two merchants.
 */
export async function suggest(db: Db, typed: string): Promise<Suggestion[]> {
  const text = cleanSearchText(typed);
  if (Array.from(text).length < shortestSuggestion) return [];
  const deals = await suggestDeals(db, text);
  const categories = await suggestNames(db, 'categories', text);
  const merchants = await suggestNames(db, 'merchants', text);
  return [...deals, ...categories, ...merchants].slice(0, mostSuggestions);
}

/** Returns the popular searches for the empty search box; at most eight, of which it shows five. */
export async function popularSearches(db: Db): Promise<Suggestion[]> {
  const categories = await ask(db).rows<Suggestion>`
    select name as text, 'category' as type, slug, null as image_url from categories where deal_count > 0
     order by deal_count desc, id limit ${popularCategories}`;
  const merchants = await ask(db).rows<Suggestion>`
    select name as text, 'merchant' as type, slug, logo_url as image_url from merchants where deal_count > 0
     order by is_featured desc, deal_count desc, id limit ${popularMerchants}`;
  return [...categories, ...merchants];
}

/** A title, with its product if several stores sell it. */
interface Title extends Suggestion {
  product: number | null;
}

/**
 * Returns titles that begin with the text, then titles with a word that does, then titles that
 * contain it; each title and each product once.
 */
async function suggestDeals(db: Db, text: string): Promise<Suggestion[]> {
  const found = new Map<string, Suggestion>();
  const products = new Set<number>();
  const take = async (rows: Promise<Title[]>): Promise<boolean> => {
    for (const { product, ...row } of await rows) {
      const key = fold(row.text);
      if (found.size === mostDeals || found.has(key)) continue;
      if (product !== null && products.has(product)) continue;
      if (product !== null) products.add(product);
      const type = product === null ? row.type : 'product';
      found.set(key, inSmall({ ...row, type }));
    }
    return found.size === mostDeals;
  };
  if (await take(titlesThatBegin(db, text))) return [...found.values()];
  const terms = await readSearchTerms(db, text, { isPlain: true });
  if (!(await take(titlesWithWords(db, terms)))) await take(titlesThatContain(db, terms));
  return [...found.values()];
}

function inSmall(row: Suggestion): Suggestion {
  return { ...row, image_url: row.image_url && thumbnail(row.image_url) };
}

const mostRead = 12;
const shownColumns = sql`title as text, 'deal' as type, slug, shown_picture(image_url, true) as image_url,
  (select other.product_id from deals other where other.product_id = deals.product_id and other.merchant_id <> deals.merchant_id
      and other.is_active and not other.is_expired limit 1) as product`;
const isLive = sql<boolean>`is_active and not is_expired`;

async function titlesThatBegin(db: Db, text: string): Promise<Title[]> {
  return ask(db).rows<Title>`
    with matching as materialized (
      select deal_id from deal_texts where ${isLive} and title like ${startsWithPattern(fold(text))}
       order by title using ~<~ limit ${mostRead})
    select ${shownColumns} from matching join deals on id = deal_id
     order by fold(title) using ~<~`;
}

/** Earlier words match whole words of the title; the last one matches the beginning of a word. */
async function titlesWithWords(db: Db, terms: SearchTerms): Promise<Title[]> {
  const { earlierTitleQuery, titleQuery, lastWord } = terms;
  if (earlierTitleQuery === null) {
    const isOpen = terms.prefixQuery !== terms.wholeQuery;
    const begins = sql<boolean>`search @@ ${isOpen ? `${titleQuery}*` : titleQuery}::tsquery`;
    const whole = sql<boolean>`search @@ ${titleQuery}::tsquery`;
    const expected = await estimateLive(db, sql`(${begins} or ${whole})`);
    return newestLive(db, begins, expected <= readAllUpTo);
  }
  const hasEarlier = sql<boolean>`search @@ ${earlierTitleQuery}::tsquery`;
  const hasAll = sql<boolean>`${hasEarlier} and ' ' || title like ${`% ${startsWithPattern(lastWord)}`}`;
  return await newestLive(db, hasAll, (await estimateLive(db, hasEarlier)) <= readAllUpTo);
}

async function titlesThatContain(db: Db, terms: SearchTerms): Promise<Title[]> {
  // Planner statistics are more accurate for words than for parts. A part is at least as frequent
  // as the word.
  const [longest = ''] = terms.words;
  const isLongest = sql<boolean>`(search @@ (${queryOf(longest)})::tsquery or ${foldedContains([longest], 'title')})`;
  const isIndexed = terms.indexedParts.includes(longest);
  const isRare = isIndexed && (await estimateLive(db, isLongest)) <= readAllUpTo;
  return newestLive(db, foldedContains(terms.words, 'title'), isRare);
}

async function estimateLive(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  return await estimateDeals(db, sql`${isLive} and ${condition}`);
}

async function newestLive(db: Db, condition: RawBuilder<boolean>, readsAll: boolean) {
  const matching = readsAll
    ? sql`select deal_id, created_at from deal_texts where ${isLive} and ${condition}`
    : sql`select deal_id, created_at
            from (select * from deal_texts where ${isLive} order by created_at desc, deal_id desc limit ${newestScanned}) newest
           where ${condition} limit ${mostRead}`;
  return ask(db).rows<Title>`
    with matching as materialized (
      select deal_id from (${matching}) found order by created_at desc, deal_id desc limit ${mostRead})
    select ${shownColumns} from matching join deals on id = deal_id order by created_at desc, id desc`;
}

async function suggestNames(db: Db, table: 'categories' | 'merchants', text: string) {
  const isCategory = table === 'categories';
  return ask(db).rows<Suggestion>`
    select name as text, ${isCategory ? sql`'category'` : sql`'merchant'`} as type, slug,
           ${isCategory ? sql`null` : sql`logo_url`} as image_url
      from ${sql.ref(table)}
     where ${containsIn(text, 'name')}
     order by case when fold(name) like ${startsWithPattern(fold(text))} then 0
                   when fold(name) like ${`% ${startsWithPattern(fold(text))}`} then 1 else 2 end, deal_count desc, id
     limit ${mostNames}`;
}
