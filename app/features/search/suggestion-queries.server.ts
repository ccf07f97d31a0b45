import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern, startsWithPattern } from '#app/platform/like-pattern.ts';
import { estimateDeals } from './estimate-rows.server.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { shortestSuggestion } from './suggestion.ts';
import { hasTrigram, readSearchTerms, type SearchTerms } from './search-terms.server.ts';

export interface Suggestion {
  text: string;
  type: 'deal' | 'category' | 'merchant';
  slug: string;
  image_url: string | null;
}

const mostSuggestions = 5;
const mostDeals = 3;
const mostNames = 2;
const mostPopular = 8;
const popularCategories = 5;
const popularMerchants = 3;

/** Up to this many matches are all read; of commoner ones the newest `newestScanned` deals. */
const readAllUpTo = 1_500;
const newestScanned = 4_000;

/** At most five continuations of what is being typed: three titles, two categories, two merchants, cut to five. */
export async function suggest(db: Db, typed: string): Promise<Suggestion[]> {
  const text = cleanSearchText(typed);
  if (Array.from(text).length < shortestSuggestion) return [];
  const deals = await suggestDeals(db, text);
  const categories = await suggestNames(db, 'categories', text);
  const merchants = await suggestNames(db, 'merchants', text);
  return [...deals, ...categories, ...merchants].slice(0, mostSuggestions);
}

/** What the search box offers before anything is typed; at most eight, of which it shows five. */
export async function popularSearches(db: Db): Promise<Suggestion[]> {
  const categories = await db
    .selectFrom('categories')
    .select([
      'name as text',
      'slug',
      sql<'category'>`'category'`.as('type'),
      sql<null>`null`.as('image_url'),
    ])
    .where('deal_count', '>', 0)
    .orderBy('deal_count', 'desc')
    .orderBy('id')
    .limit(popularCategories)
    .execute();
  const merchants = await db
    .selectFrom('merchants')
    .select([
      'name as text',
      'slug',
      sql<'merchant'>`'merchant'`.as('type'),
      'logo_url as image_url',
    ])
    .where('deal_count', '>', 0)
    .orderBy('is_featured', 'desc')
    .orderBy('deal_count', 'desc')
    .orderBy('id')
    .limit(popularMerchants)
    .execute();
  return [...categories, ...merchants].slice(0, mostPopular);
}

/** Titles that begin with the text, then titles with a word that does, then titles that contain it; each title once. */
async function suggestDeals(db: Db, text: string): Promise<Suggestion[]> {
  const found = new Map<string, Suggestion>();
  const take = async (rows: Promise<Suggestion[]>): Promise<boolean> => {
    for (const row of await rows) {
      const key = row.text.toLowerCase();
      if (found.size < mostDeals && !found.has(key)) found.set(key, row);
    }
    return found.size === mostDeals;
  };
  if (await take(titlesThatBegin(db, text))) return [...found.values()];
  const terms = await readSearchTerms(db, text);
  if (!(await take(titlesWithWords(db, terms)))) await take(titlesThatContain(db, terms));
  return [...found.values()];
}

const mostRead = 12;
const columns = sql`title as text, 'deal' as type, slug, image_url`;
const isLive = sql<boolean>`is_active and not is_expired`;

async function titlesThatBegin(db: Db, text: string): Promise<Suggestion[]> {
  const { rows } = await sql<Suggestion>`
    select ${columns} from deals where ${isLive} and lower(title) like lower(${startsWithPattern(text)})
     order by lower(title) using ~<~ limit ${mostRead}`.execute(db);
  return rows;
}

/** The words before the last are whole words of the title, the last begins one. */
async function titlesWithWords(db: Db, terms: SearchTerms): Promise<Suggestion[]> {
  const { earlierTitleQuery, titleQuery, lastWord } = terms;
  if (earlierTitleQuery === null) {
    const isOpen = terms.prefixQuery !== terms.wholeQuery;
    const begins = sql<boolean>`search @@ ${isOpen ? `${titleQuery}*` : titleQuery}::tsquery`;
    const whole = sql<boolean>`search @@ ${titleQuery}::tsquery`;
    return await newestLive(
      db,
      begins,
      (await estimateLive(db, sql`(${begins} or ${whole})`)) <= readAllUpTo,
    );
  }
  const hasEarlier = sql<boolean>`search @@ ${earlierTitleQuery}::tsquery`;
  const hasAll = sql<boolean>`${hasEarlier} and ' ' || title ilike ${`% ${startsWithPattern(lastWord)}`}`;
  return await newestLive(db, hasAll, (await estimateLive(db, hasEarlier)) <= readAllUpTo);
}

async function titlesThatContain(db: Db, terms: SearchTerms): Promise<Suggestion[]> {
  const contains = (words: string[]): RawBuilder<boolean> =>
    sql`(${sql.join(
      words.map((word) => sql`title ilike ${containsPattern(word)}`),
      sql` and `,
    )})`;
  // Statistics know words better than parts: a part is at least as common as the word.
  const [longest = ''] = terms.words;
  const isRare = async (): Promise<boolean> =>
    (await estimateLive(
      db,
      sql`(search @@ plainto_tsquery('english', ${longest}) or ${contains([longest])})`,
    )) <= readAllUpTo;
  return await newestLive(db, contains(terms.words), hasTrigram(longest) && (await isRare()));
}

async function estimateLive(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  return await estimateDeals(db, sql`${isLive} and ${condition}`);
}

async function newestLive(
  db: Db,
  condition: RawBuilder<boolean>,
  readsAll: boolean,
): Promise<Suggestion[]> {
  const matching = readsAll
    ? sql`select ${columns}, created_at, id from deals where ${isLive} and ${condition}`
    : sql`select ${columns}, created_at, id from (
            select * from deals where ${isLive} order by created_at desc, id desc limit ${newestScanned}) newest
           where ${condition} limit ${mostRead}`;
  const { rows } = await sql<Suggestion>`
    with matching as materialized (${matching})
    select text, type, slug, image_url from matching order by created_at desc, id desc limit ${mostRead}`.execute(
    db,
  );
  return rows;
}

async function suggestNames(
  db: Db,
  table: 'categories' | 'merchants',
  text: string,
): Promise<Suggestion[]> {
  const isCategory = table === 'categories';
  const { rows } = await sql<Suggestion>`
    select name as text, ${isCategory ? sql`'category'` : sql`'merchant'`} as type, slug,
           ${isCategory ? sql`null` : sql`logo_url`} as image_url
      from ${sql.ref(table)}
     where name ilike ${containsPattern(text)}
     order by case when name ilike ${startsWithPattern(text)} then 0
                   when name ilike ${`% ${startsWithPattern(text)}`} then 1 else 2 end, deal_count desc, id
     limit ${mostNames}`.execute(db);
  return rows;
}
