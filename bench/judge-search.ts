import { readFile } from 'node:fs/promises';
import { demoCatalog } from '#database/seed/demo-catalog.ts';
import { demoCategories, demoMerchants } from '#database/seed/demo-shops.ts';
import type { Db } from '#database/connect.ts';
import { fold } from '#app/platform/fold.ts';
import { searchCatalog } from '#app/features/search/search-queries.server.ts';
import { connect } from '#database/connect.ts';
import { migrate } from '#database/migrate.ts';
import type { Measured } from '#bench/measure.ts';
import { remakeDatabase } from '#bench/open-shop.ts';

interface Judgement {
  query: string;
  /** Parts of the titles that should come first. */
  first: string[];
  /** Parts of titles that are acceptable too. */
  also: string[];
}

interface Judged {
  query: string;
  /** The reciprocal rank of the first deal that should come first. */
  reciprocal: number;
  ndcg: number;
  shown: string[];
}

const shown = 10;
/** The gain of a deal that should come first, and of one that is acceptable. */
const gains = { first: 3, also: 1 };

/** Reads `search-judgements.txt`: the judgements for tuning the ranking, and the held-out ones. */
export async function readJudgements(): Promise<{ tuned: Judgement[]; heldOut: Judgement[] }> {
  const text = await readFile(new URL('search-judgements.txt', import.meta.url), 'utf8');
  const [tuned = '', heldOut = ''] = text.split('# Held out');
  return { tuned: parse(tuned), heldOut: parse(heldOut) };
}

function parse(text: string): Judgement[] {
  const parts = (side = '') =>
    side
      .split('|')
      .map((part) => fold(part).trim())
      .filter(Boolean);
  return text
    .split('\n')
    .filter((line) => line.includes(' → ') && !line.startsWith('#'))
    .map((line) => {
      const [query = '', titles = ''] = line.split(' → ');
      const [first, also] = titles.split(';');
      return { query, first: parts(first), also: parts(also) };
    });
}

/** Fills an empty database with the demo shop's deals and those of `relevance-shop.txt`. */
export async function fillJudgedShop(db: Db): Promise<void> {
  const others = (await readFile(new URL('relevance-shop.txt', import.meta.url), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' | ').map((cell) => cell.trim()));
  const names = [
    ...new Set([...demoCategories.map(({ name }) => name), ...others.map(([name = '']) => name)]),
  ];
  const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-');
  const categories = await db
    .insertInto('categories')
    .values(names.map((name) => ({ name, slug: slugOf(name) })))
    .returning(['id', 'name'])
    .execute();
  const merchants = await db
    .insertInto('merchants')
    .values(
      [...demoMerchants.map(({ name }) => name), 'Anyshop'].map((name) => ({
        name,
        slug: slugOf(name),
      })),
    )
    .returning(['id', 'name'])
    .execute();
  const idOf = (rows: { id: number; name: string }[], name: string) =>
    rows.find((row) => row.name === name)?.id ?? 0;
  const common = (n: number) => ({
    slug: `judged-${n}`,
    sale_price: 1_000 + n,
    deal_url: 'https://shop.example/',
    // The order by age is unrelated to the list's order, so that only titles decide.
    created_at: new Date(Date.UTC(2026, 0, 1) - ((n * 7_919) % 1_000) * 60_000),
  });
  const demo = demoCatalog();
  await db
    .insertInto('deals')
    .values([
      ...demo.map(({ title, description, category, merchant, condition }, n) => ({
        ...common(n),
        title,
        description,
        category_id: idOf(categories, category),
        merchant_id: idOf(merchants, merchant.name),
        ...(condition ? { condition, status: 'used' as const } : {}),
      })),
      ...others.map(([category = '', brand = '', title = '', description = ''], n) => ({
        ...common(demo.length + n),
        title,
        description,
        brand,
        category_id: idOf(categories, category),
        merchant_id: idOf(merchants, 'Anyshop'),
      })),
    ])
    .execute();
}

/** Runs each query and compares the first ten deals with the judgements. */
export async function judge(db: Db, judgements: Judgement[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  const titles = await db.selectFrom('deals').select('title').execute();
  for (const { query, first, also } of judgements) {
    const gainOf = (title: string) => {
      const folded = fold(title);
      if (first.some((part) => folded.includes(part))) return gains.first;
      return also.some((part) => folded.includes(part)) ? gains.also : 0;
    };
    const { deals } = await searchCatalog(db, {
      query,
      sort: 'relevance',
      filter: {},
      page: 1,
      isExact: false,
    });
    const found = deals.slice(0, shown).map(({ title }) => title);
    const place = found.findIndex((title) => gainOf(title) === gains.first);
    const ideal = titles.map(({ title }) => gainOf(title)).toSorted((a, b) => b - a);
    const best = discounted(ideal.slice(0, shown));
    judged.push({
      query,
      reciprocal: place < 0 ? 0 : 1 / (place + 1),
      ndcg: best === 0 ? 0 : discounted(found.map(gainOf)) / best,
      shown: found,
    });
  }
  return judged;
}

function discounted(list: number[]): number {
  return list.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}

/** Returns the mean scores of all queries. */
export function meansOf(judged: Judged[]): { reciprocal: number; ndcg: number } {
  const mean = (value: (one: Judged) => number) =>
    judged.reduce((sum, one) => sum + value(one), 0) / judged.length;
  return { reciprocal: mean((one) => one.reciprocal), ndcg: mean((one) => one.ndcg) };
}

/** Prints the means, and the queries whose first result should not come first. */
export async function benchRelevance(serverUrl: string): Promise<Measured> {
  const { db, close } = connect(await remakeDatabase(serverUrl, 'bench_relevance'));
  try {
    await migrate(db);
    await fillJudgedShop(db);
    const { tuned, heldOut } = await readJudgements();
    const lines: string[] = [];
    for (const [name, judgements] of Object.entries({ tuned, 'held out': heldOut })) {
      const judged = await judge(db, judgements);
      const { reciprocal, ndcg } = meansOf(judged);
      lines.push(
        `${judged.length} queries ${name}: mean reciprocal rank ${reciprocal.toFixed(3)}, nDCG@10 ${ndcg.toFixed(3)}`,
        ...judged
          .filter((one) => one.reciprocal < 1)
          .map((one) => `  ${one.query} → ${one.shown.slice(0, 3).join(' | ') || 'nothing'}`),
      );
    }
    return { results: lines, text: lines.join('\n'), isMet: true };
  } finally {
    await close();
  }
}
