import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { readForScore, scorePair } from '#app/features/products/score-pair.ts';
import { suggestMatches } from '#app/features/products/suggest-matches-job.server.ts';
import { connect, type Db } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import { durationOf, type Measured, ms, table, verdictOn } from '#bench/measure.ts';
import { remakeDatabase } from '#bench/open-shop.ts';

/**
 * The public data sets, with the F1 score and the recall of suggestions measured in the design's
 * experiment.
 */
const sets = [
  { name: 'Abt-Buy', folder: 'er_magellan/Textual/Abt-Buy', f1: 0.873, recall: 0.961 },
  {
    name: 'Amazon-Google',
    folder: 'er_magellan/Structured/Amazon-Google',
    f1: 0.608,
    recall: 0.953,
  },
  { name: 'WDC computers', folder: 'wdc/computers', ending: '.small', f1: 0.734, recall: 0.91 },
  { name: 'WDC watches', folder: 'wdc/watches', ending: '.small', f1: 0.82, recall: 0.927 },
  { name: 'WDC shoes', folder: 'wdc/shoes', ending: '.small', f1: 0.596, recall: 0.586 },
];
/** the amount by which a score may be below the experiment's */
const tolerance = 0.02;
const leastSuggested = 0.3;

interface Offer {
  title: string;
  brand: string | null;
  price: number | null;
}
interface LabelledPair {
  offers: [Offer, Offer];
  isMatch: boolean;
}
interface Scored {
  score: number;
  isMatch: boolean;
}

/**
 * Scores the pairs of public data sets. `folder` is the folder `data` of the repository
 * `megagonlabs/ditto`. Also imports the offers, to show that none is linked without a GTIN.
 */
export async function benchMatch(
  serverUrl: string,
  folder: string,
  report: (line: string) => void,
): Promise<Measured> {
  const results = [];
  const offers: Offer[] = [];
  for (const { name, folder: place, ending = '', f1, recall } of sets) {
    report(name);
    const read = (part: string, last = ending) =>
      readPairs(path.join(folder, place, `${part}.txt${last}`));
    const learned = [...(await read('train')), ...(await read('valid'))];
    const test = await read('test', '');
    offers.push(...test.flatMap((pair) => pair.offers));
    const one = judge(learned, test);
    const isMet = one.f1 >= f1 - tolerance && one.recall >= recall - tolerance;
    results.push({ name, pairs: test.length, ...one, isMet });
  }
  const job = await runJobs(serverUrl, offers, report);
  const rows = results.map(({ name, pairs, precision, found, f1, recall, us, isMet }) => [
    name,
    String(pairs),
    ...[precision, found, f1, recall].map((share) => share.toFixed(3)),
    us.toFixed(0),
    verdictOn(isMet),
  ]);
  const heading = ['', 'pairs', 'precision', 'recall', 'F1', 'suggested', 'µs a pair', ''];
  const text = `${table([heading, ...rows])}
Automatic links among ${offers.length} offers: ${job.links} (${verdictOn(job.links === 0)}). ${job.suggestions} suggestions in ${ms(job.ms)} ms.`;
  return {
    results: { sets: results, job },
    text,
    isMet: results.every(({ isMet }) => isMet) && job.links === 0,
  };
}

/** Learns the threshold with the best F1 score, and applies it to the test pairs. */
function judge(learned: readonly LabelledPair[], test: readonly LabelledPair[]) {
  const known = score(learned);
  const thresholds = Array.from({ length: 98 }, (_, n) => (n + 1) / 100);
  const threshold = thresholds.reduce((best, one) =>
    rates(known, one).f1 > rates(known, best).f1 ? one : best,
  );
  const before = process.cpuUsage();
  const scored = score(test);
  const us = process.cpuUsage(before).user / test.length;
  const { precision, recall: found, f1 } = rates(scored, threshold);
  return { threshold, precision, found, f1, recall: rates(scored, leastSuggested).recall, us };
}

function score(pairs: readonly LabelledPair[]): Scored[] {
  const noNumbers = { evidence: 0, hasSameCurrency: true };
  return pairs.map(({ offers: [one, other], isMatch }) => ({
    score: scorePair(readForScore(one), readForScore(other), noNumbers),
    isMatch,
  }));
}

function rates(scored: readonly Scored[], threshold: number) {
  const chosen = scored.filter((pair) => pair.score >= threshold);
  const right = chosen.filter(({ isMatch }) => isMatch).length;
  const precision = right / Math.max(1, chosen.length);
  const recall = right / Math.max(1, scored.filter(({ isMatch }) => isMatch).length);
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) };
}

async function readPairs(file: string): Promise<LabelledPair[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const [one = '', other = '', label] = line.split('\t');
    return { offers: [readOffer(one), readOffer(other)], isMatch: label?.trim() === '1' };
  });
}

/** Parses an offer in the format `COL title VAL … COL price VAL …`. */
function readOffer(text: string): Offer {
  const cells = new Map(
    text.split('COL ').map((cell) => {
      const [name = '', value = ''] = cell.split(/ VAL(?: |$)/);
      return [name, value.trim()];
    }),
  );
  // Titles from the web have the language after the closing quotes.
  const title = (cells.get('title') ?? cells.get('name') ?? '').replace(/"?@[a-z-]+/gi, ' ');
  const brand = cells.get('manufacturer') || cells.get('brand') || null;
  return { title, brand, price: Number(cells.get('price')) || null };
}

/** Adds each pair's offers to two stores, and runs the jobs that link deals and suggest links. */
async function runJobs(
  serverUrl: string,
  offers: readonly Offer[],
  report: (line: string) => void,
) {
  const { db, close } = connect(await remakeDatabase(serverUrl, 'bench_match'), {
    maxConnections: 2,
    statementTimeout: 0,
  });
  try {
    await migrate(db);
    report(`${offers.length} deals`);
    await addDeals(db, offers);
    await sql`analyze`.execute(db);
    await matchProducts(db);
    const took = await durationOf(() => suggestMatches(db));
    const { rows } = await sql<{ links: number; suggestions: number }>`
      select (select count(*) from product_links)::int as links, (select count(*) from match_suggestions)::int as suggestions`.execute(
      db,
    );
    return { links: rows[0]?.links ?? -1, suggestions: rows[0]?.suggestions ?? -1, ms: took };
  } finally {
    await close();
  }
}

async function addDeals(db: Db, offers: readonly Offer[]): Promise<void> {
  await sql`insert into categories (name, slug) values ('All', 'all')`.execute(db);
  await sql`
    insert into merchants (name, slug, matches_freely) values ('One', 'one', true), ('Other', 'other', true)`.execute(
    db,
  );
  await sql`
    insert into deals (slug, title, brand, sale_price, deal_url, category_id, merchant_id)
      select 'offer-' || n, coalesce(nullif(left(title, 200), ''), 'Untitled'), left(brand, 100), greatest(1, price), 'https://shop.example/', 1, 1 + n % 2
        from unnest(${offers.map(({ title }) => title)}::text[], ${offers.map(({ brand }) => brand)}::text[],
                    ${offers.map(({ price }) => Math.round((price ?? 1) * 100))}::int[]) with ordinality o (title, brand, price, n)`.execute(
    db,
  );
}
