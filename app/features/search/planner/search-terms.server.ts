import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold, partRuns } from '#app/platform/fold.ts';
import { hasTrigram } from '#app/platform/like-pattern.ts';
import { fillerWords } from '../filler-words.ts';
import { findNames, type Names } from './find-names.server.ts';
import { type Concept, longestRun, readConcepts } from './read-concepts.ts';
import { builtInSynonyms, indexSynonyms } from './synonym-index.ts';
import { beforePurpose } from './rank-titles.ts';
import { keyOfQuery, type WatchedWords, watchedWords } from './watched-words.ts';
import { splitsOf, wordsOf } from './word-forms.ts';

/** A concept, converted for database queries. */
export interface Term extends Concept {
  /** The words of the concept as a tsquery, or `null` if they are stop words. */
  query: string | null;
  /** The same tsquery, but only for titles. */
  inTitle: string | null;
  /** Categories, stores and brands with this name. */
  names: Names | null;
  /** Words of which every text with this term contains at least one, or `null` if unknown. */
  keys: string[] | null;
}

/** A query, folded and converted for database queries. */
export interface SearchTerms {
  text: string;
  /** The required concepts, each of which must appear. */
  terms: Term[];
  /** The required concepts in the form for watched searches. */
  watched: WatchedWords;
  /** All typed concepts, for the order. */
  concepts: Concept[];
  /** The required words, at most ten, the longest first. */
  words: string[];
  /** The required words as typed, in lower case. */
  typedWords: string[];
  /** Words that an index can find within longer words. */
  indexedParts: string[];
  lastWord: string;
  /** All typed words as whole words, as a tsquery, or `null` if all are stop words. */
  wholeQuery: string | null;
  /** All typed words as whole words in the title. */
  titleQuery: string | null;
  /** All words except the last, which may be unfinished, as whole words in the title. */
  earlierTitleQuery: string | null;
  /** A single, possibly unfinished word as a prefix; otherwise the same as `wholeQuery`. */
  prefixQuery: string | null;
}

const mostWords = 10;
interface Reading {
  /** Ignores synonyms. */
  isExact?: boolean;
  /** Treats each word separately, even if several have a synonym together. */
  isApart?: boolean;
  /** Uses only the words as typed, for suggestions. */
  isPlain?: boolean;
}

export async function readSearchTerms(
  db: Db,
  typed: string,
  { isExact = false, isApart = false, isPlain = false }: Reading = {},
): Promise<SearchTerms> {
  const typedByWord = new Map(
    typed
      .toLowerCase()
      .split(' ')
      .flatMap((word) =>
        foldedWords(word).map((folded, _, all) => [folded, all[1] ? folded : word]),
      ),
  );
  const inOrder = foldedWords(typed);
  const text = inOrder.join(' ');
  const earlier = inOrder.slice(0, -1).join(' ');
  const words = [...new Set(inOrder)].toSorted((a, b) => b.length - a.length).slice(0, mostWords);
  const concepts = isPlain ? [] : await conceptsOf(db, text, { isExact, isApart });
  const { terms, ...queries } = await inDatabaseTerms(db, concepts, { text, earlier, words });
  const whole = queries.whole || null;
  // The index collects every word with this beginning before the other words are checked, and many
  // model names begin with numbers. Prefixes of numbers, or next to other words, would cost more
  // than they find.
  const mayBeUnfinished = whole !== null && earlier === '' && /^'[^'\d-]+'$/.test(whole);
  return {
    text,
    terms,
    watched: watchedWords(terms),
    concepts,
    words,
    typedWords: words.map((word) => typedByWord.get(word) ?? word),
    indexedParts: words.filter(
      (word, index) =>
        hasTrigram(word) && partRuns(word).runs.length === 0 && queries.indexed[index],
    ),
    lastWord: inOrder.at(-1) ?? '',
    wholeQuery: whole,
    titleQuery: inTitle(whole),
    earlierTitleQuery: inTitle(queries.earlier || null),
    prefixQuery: mayBeUnfinished ? `${whole}:*` : whole,
  };
}

/** Returns the query reduced to these terms. */
export function onlyTerms(given: SearchTerms, terms: Term[]): SearchTerms {
  const words = terms.flatMap(({ typed }) => typed);
  const kept = given.words.map((word, index) => ({ word, typed: given.typedWords[index] ?? word }));
  const whole = kept.filter(({ word }) => wordsOf(word).every((part) => words.includes(part)));
  // A word such as `lamp(2)` without its other part is required as `lamp`.
  const covered = new Set(whole.flatMap(({ word }) => wordsOf(word)));
  const parts = words.filter((word) => !covered.has(word)).map((word) => ({ word, typed: word }));
  const left = [...whole, ...parts].slice(0, mostWords);
  return {
    ...given,
    terms,
    concepts: terms,
    text: words.join(' '),
    words: left.map(({ word }) => word),
    typedWords: left.map(({ typed }) => typed),
    indexedParts: given.indexedParts.filter((word) => words.includes(word)),
    prefixQuery: null,
  };
}

/** Parses the words, using the words in titles and the owner's synonyms. */
async function conceptsOf(db: Db, text: string, { isExact, isApart }: Reading): Promise<Concept[]> {
  const words = wordsOf(text).slice(0, 2 * mostWords);
  const pairs = words.slice(1).map((word, index) => `${words[index]}${word}`);
  const halves = words.flatMap(splitsOf).flat();
  const row = await ask(db).row<{ known: string[]; lines: string[] }>`
    select array(select word from search_words where word = any(${[...pairs, ...halves]}::text[])) as known,
           array(select words from search_synonyms order by id) as lines`;
  const own = row?.lines ?? [];
  const synonyms = own.length > 0 ? indexSynonyms(own, builtInSynonyms) : builtInSynonyms;
  const given = { synonyms: isExact ? null : synonyms, known: new Set(row?.known) };
  return readConcepts(text, given, isApart ? 1 : longestRun);
}

/** Converts concepts to tsqueries with one statement. */
async function inDatabaseTerms(
  db: Db,
  concepts: Concept[],
  { text, earlier, words }: { text: string; earlier: string; words: string[] },
) {
  const all = concepts.flatMap((concept) => [concept, ...concept.parts]);
  const typed = [...new Set(all.map((concept) => concept.typed.join(' ')))];
  const phrases = [
    ...new Set(
      all.flatMap(({ forms, synonyms, related, bareForm }) => [
        ...forms,
        ...synonyms,
        ...related,
        bareForm ?? '',
      ]),
    ),
  ];
  const [row, names] = await Promise.all([
    ask(db).row<{
      whole: string;
      earlier: string;
      indexed: boolean[];
      typed: string[];
      phrases: string[];
    }>`
    select ${queryOf(text)} as whole, ${queryOf(earlier)} as earlier,
           array(select show_trgm(word) <> '{}' from unnest(${words}::text[]) word) as indexed,
           array[${sql.join(typed.length > 0 ? typed.map(queryOf) : [sql`''`])}]::text[] as typed,
           array(select phraseto_tsquery('russian', phrase)::text
                   from unnest(${phrases}::text[]) with ordinality as given (phrase, place) order by place) as phrases`,
    findNames(db, concepts),
  ]);
  const queries = new Map(
    typed.map((each, index) => [each, ofCompound(each, row?.typed[index] ?? '')]),
  );
  phrases.forEach((each, index) =>
    queries.set(`phrase ${each}`, ofCompound(each, ofPhrase(each, row?.phrases[index] ?? ''))),
  );
  const read = concepts.map((concept): Term => {
    const query = tsqueryOf(concept, queries, false);
    return {
      ...concept,
      query,
      inTitle: query && tsqueryOf(concept, queries, true),
      names: names.get(concept) ?? null,
      keys: keysOf(concept, queries),
    };
  });
  const said = read.filter(
    ({ query, names: named, typed: [word = ''] }) =>
      query !== null || (named !== null && !beforePurpose.has(word)),
  );
  const required = said.filter(({ typed: given }) => given.some((word) => !fillerWords.has(word)));
  return {
    terms: required.length > 0 ? required : said,
    whole: row?.whole ?? '',
    earlier: row?.earlier ?? '',
    indexed: row?.indexed ?? [],
  };
}

/**
 * Drops the query for a phrase if only one word remains without stop words: `carry on` is not
 * `carry`.
 */
function ofPhrase(phrase: string, query: string): string {
  return phrase.includes(' ') && !query.includes('<') ? '' : query;
}

/**
 * Removes the parts of a hyphenated word from its query: a text with `usb-c` also contains `usb`
 * and `c`, and the planner would multiply the three frequencies.
 */
function ofCompound(text: string, query: string): string {
  const whole = /^'[^']*'/.exec(query)?.[0] ?? '';
  const hyphens = (word: string) => word.split('-').length - 1;
  const isCompound = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u.test(text);
  return isCompound && hyphens(whole) === hyphens(text) ? whole : query;
}

/** Returns one word from each way of writing a concept, or `null` if a way has no such word. */
function keysOf(concept: Concept, queries: Map<string, string>): string[] | null {
  const { typed, forms, synonyms, related, bareForm, parts } = concept;
  const ofParts = parts
    .map((part) => keysOf(part, queries))
    .filter((keys) => keys !== null && keys.length > 0)
    .toSorted((a, b) => (a?.length ?? 0) - (b?.length ?? 0));
  const own = parts.length > 0 ? ofParts[0] : [queries.get(typed.join(' ')) ?? ''].map(keyOfQuery);
  const others = [...forms, ...synonyms, ...related, bareForm ?? '']
    .map((phrase) => queries.get(`phrase ${phrase}`) ?? '')
    .filter(Boolean)
    .map(keyOfQuery);
  const isSaid = parts.length > 0 || queries.get(typed.join(' '));
  const keys = [...(isSaid ? (own ?? [null]) : []), ...others];
  const known = keys.filter((key) => key !== null);
  return known.length === keys.length ? [...new Set(known)] : null;
}

/** Returns all ways of writing a concept as a tsquery. */
function tsqueryOf(
  concept: Concept,
  queries: Map<string, string>,
  isInTitle: boolean,
): string | null {
  const { typed, forms, synonyms, related, bareForm, parts } = concept;
  const ofParts = parts.map((part) => tsqueryOf(part, queries, isInTitle)).filter((part) => part);
  const own =
    parts.length > 0
      ? ofParts.map((part) => `(${part})`).join(' & ')
      : (queries.get(typed.join(' ')) ?? '');
  const others = [...forms, ...synonyms, ...related].map(
    (phrase) => queries.get(`phrase ${phrase}`) ?? '',
  );
  const weigh = (query: string) => (isInTitle ? (inTitle(query) ?? '') : query);
  const ways = [parts.length > 0 ? own : weigh(own), ...others.map(weigh)];
  if (bareForm !== null) ways.push(inTitle(queries.get(`phrase ${bareForm}`) ?? '') ?? '');
  const said = [...new Set(ways.filter(Boolean))];
  return said.length === 0 ? null : said.map((way) => `(${way})`).join(' | ');
}

/**
 * Some characters are folded to spaces. Text that consists only of such characters is treated as
 * one word, which matches nothing.
 */
function foldedWords(text: string): string[] {
  return (fold(text).trim() || text.trim()).split(/\s+/);
}

/**
 * Converts words to stems, and letters without word breaks to phrases of pairs
 * (database/functions/part_runs.sql). The functions parse no operators, so typed text cannot
 * contain any.
 */
export function queryOf(folded: string): RawBuilder<string> {
  const { words, runs } = partRuns(folded);
  const parts = [sql`nullif(plainto_tsquery('russian', ${words})::text, '')`];
  for (const run of runs) {
    const letters = Array.from(run);
    const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
    parts.push(
      pairs.length === 0
        ? sql`${`'${run}':*`}::text`
        : sql`nullif(phraseto_tsquery('russian', ${pairs.join(' ')})::text, '')`,
    );
  }
  return sql`concat_ws(' & ', ${sql.join(parts)})`;
}

function inTitle(query: string | null): string | null {
  return query && query.replace(/('(?:[^']|'')*')(?::(\*))?/g, '$1:$2A');
}
