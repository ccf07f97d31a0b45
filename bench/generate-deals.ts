import { sql } from 'kysely';
import { addProducts } from '#app/features/products/add-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { diceOf, sentence } from '#bench/made-up-words.ts';
import { adjectives, brands, categoryNouns, extras, sentences } from '#bench/word-lists.ts';

const merchantCount = 2_000;
/** Each product has five deals, whose numbers are `step` apart. */
const step = 201;
const offersPerProduct = 5;
const chunk = 25_000;
const pricesPerDeal = 5;
/** one deal in this many has had a daily price for a year */
const watched = 50;
const daysWatched = 365;
const textCount = 4_000;
/** The newest creation time, fixed so that two runs create the same shop. */
const newest = '2026-11-01T00:00:00Z';

/**
 * Fills an empty, migrated database with `count` deals, as if the shop had existed for a year. Each
 * run creates the same deals. Word frequencies fall as in real catalogs: the n-th word is used 1/n
 * as often as the first. Thus common, medium and rare searches all occur. Some of the twenty
 * thousand words are in other alphabets. Descriptions have up to 5,000 letters. Every five deals
 * sell the same item, and are linked to one product unless `isAlone`. Triggers are off; their
 * effects (counters, price log, vocabulary) are written at the end. The connection must have no
 * statement timeout, and its user must be a superuser.
 */
export async function generateDeals(
  db: Db,
  count: number,
  report: (line: string) => void = () => {},
  { isAlone = false } = {},
): Promise<void> {
  const indexes = await dropIndexes(db);
  await insertShop(db);
  await insertProducts(db, Math.ceil(count / (step * offersPerProduct)) * step, isAlone);
  const starts = Array.from({ length: Math.ceil(count / chunk) }, (_, index) => index * chunk);
  report(
    `${count} deals with ${pricesPerDeal} prices each, and ${daysWatched} of each ${watched}th`,
  );
  const next = starts.values();
  const work = async (): Promise<void> => {
    for (const start of next) await insertChunk(db, start, Math.min(start + chunk, count), count);
  };
  await Promise.all([work(), work()]);
  await sql`drop table bench_texts, bench_products`.execute(db);
  report('indexes');
  for (const index of indexes) await rebuildIndex(db, index);
  report('counters and vocabulary');
  await writeWhatTriggersKeep(db);
  report('vacuum analyze');
  await sql`vacuum analyze`.execute(db);
}

/**
 * Building an index over finished rows takes a tenth of the time of maintaining it during a million
 * inserts.
 */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select quote_ident(indexname) as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename in ('deals', 'deal_texts', 'price_log')
       and indexname not in (select conname from pg_constraint)
     order by indexname`.execute(db);
  for (const row of rows) await sql`drop index ${sql.raw(row.name)}`.execute(db);
  return rows.map((row) => row.definition);
}

async function rebuildIndex(db: Db, definition: string): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set maintenance_work_mem = '512MB'`.execute(one);
    await sql.raw(definition).execute(one);
    await sql`reset maintenance_work_mem`.execute(one);
  });
}

async function insertShop(db: Db): Promise<void> {
  const texts = Array.from({ length: textCount }, (_, n) => ({
    n,
    name: n % 10 === 0 ? sentence(n, 5_000, 1) : null,
    // Most descriptions have a few sentences, and one in a hundred has thousands of letters.
    text: sentence(n, 0, Math.floor(800 * diceOf(n, 4_000) ** 9)),
  }));
  await sql`create table bench_texts as select n, name, text
    from json_to_recordset(${JSON.stringify(texts)}::json) as t (n int, name text, text text)`.execute(
    db,
  );
  await withoutTriggers(db, async (tx) => {
    await sql`
      insert into categories (id, name, slug, description)
      select n, name, lower(name), 'Offers on ' || lower(name) || ' from every store'
        from unnest(${categoryNouns.map(([name]) => name)}::text[]) with ordinality as c (name, n)`.execute(
      tx,
    );
    await sql`
      insert into merchants (id, name, slug, description, is_featured, website_url, free_shipping_over, standard_shipping, matches_freely)
      select n, brand || ' ' || suffix, lower(brand || '-' || suffix || '-' || n),
             'Offers picked by ' || brand, n <= 40, 'https://shop-' || n || '.example/',
             case when n % 2 = 0 then 5000 end, case when n % 3 > 0 then 490 end, true
        from generate_series(1, ${merchantCount}::int) n,
             lateral (select (${brands}::text[])[1 + (n * 7) % ${brands.length}::int] as brand,
                             (array['Store', 'Market', 'Outlet', 'Direct', 'House'])[1 + n % 5] as suffix) names`.execute(
      tx,
    );
  });
}

/**
 * `dice(i, k)` is the k-th uniform random number of row i, from a hash; `zipf(u, n)` turns it into
 * a rank from 1 to n. Both are inlined as SQL text, because functions would be called tens of
 * millions of times.
 */
const dice = (k: number): string =>
  `((hashint8extended(i, ${k}) & 9007199254740991)::float8 / 9007199254740992.0)`;
const zipf = (k: number, n: string | number): string =>
  `floor(exp(${dice(k)} * ln(${n} + 1)))::int`;

/** Returns earlier prices of the deal: 90% to 129% of the current price. */
function earlierPrices(price: string, id: string): string {
  const numbers = Array.from({ length: pricesPerDeal - 1 }, (_, index) => 40 + index);
  return numbers
    .map(
      (k) =>
        `greatest(1, ${price}::bigint * (90 + abs(hashint8extended(${id}, ${k})) % 40) / 100)::int`,
    )
    .join(', ');
}

/** Inserts the products, and their facts for `insertChunk`. */
async function insertProducts(db: Db, count: number, isAlone: boolean): Promise<void> {
  const nouns = categoryNouns.flatMap(([, words], category) =>
    words.map((word, rank) => ({ category: category + 1, rank: rank + 1, word })),
  );
  await sql`
    create table bench_products as
      with nouns as materialized (
        select category, array_agg(word order by rank) as words
          from json_to_recordset(${JSON.stringify(nouns)}::json) as n (category int, rank int, word text)
         group by category
      ), picks as materialized (
        select i, ${sql.raw(zipf(1, categoryNouns.length))} as category,
               (${brands}::text[])[${sql.raw(zipf(2, brands.length))}] as brand,
               (${adjectives}::text[])[${sql.raw(zipf(3, adjectives.length))}] as adjective,
               500 + floor(exp(${sql.raw(dice(5))} * ln(150000)))::int as price,
               '400' || lpad(i::text, 9, '0') as digits
          from generate_series(0::bigint, ${count}::bigint - 1) i
      ), rows as materialized (
        select p.*, n.words[${sql.raw(zipf(7, 'cardinality(n.words)'))}] as noun,
               upper(substr(brand, 1, 2)) || '-' || (1000 + abs(hashint8extended(i, 8)) % 90000) as model
          from picks p join nouns n using (category)
      )
      select i as n, category, brand, adjective, noun, model, price,
             brand || ' ' || adjective || ' ' || noun || ' ' || model as title,
             case when not ${isAlone} then i + 1 end as id,
             case when not ${isAlone} then digits || (
               select (10 - sum(substr(digits, k, 1)::int * (1 + 2 * ((k + 1) % 2))) % 10) % 10
                 from generate_series(1, 12) k) end as gtin
        from rows order by i`.execute(db);
  await sql`alter table bench_products add primary key (n)`.execute(db);
  if (isAlone) return;
  await db.transaction().execute(async (tx) => {
    const products = await ask(tx).rows<{ gtin: string; title: string }>`
      select gtin, title from bench_products order by n`;
    for (let from = 0; from < count; from += chunk)
      await addProducts(tx, products.slice(from, from + chunk));
    const misplaced = await ask(tx).value<number>`
      select count(*) from bench_products b left join products p on p.id = b.id and right(p.slug, 13) = b.gtin
       where p.id is null`;
    if (misplaced !== 0) throw new Error(`${misplaced} products have another id.`);
  });
}

async function insertChunk(db: Db, from: number, to: number, count: number): Promise<void> {
  await withoutTriggers(db, async (tx) => {
    await sql`
      with rows as materialized (
        select i, p.id as product_id, p.gtin, p.category, p.brand, p.adjective, p.noun, p.model, p.title,
               (${extras}::text[])[${sql.raw(zipf(4, extras.length))}] as extra,
               array(select (${sentences}::text[])[1 + abs(hashint8extended(i, 20 + s)) % ${sentences.length}::int]
                       from generate_series(1, 4) s) as text,
               (p.price::bigint * (90 + abs(hashint8extended(i, 50)) % 21) / 100)::int as price,
               timestamptz '${sql.raw(newest)}' - (1 - i::float8 / ${count}::bigint) * interval '700 days'
                 - ${sql.raw(dice(6))} * interval '2 days' as created_at
          from generate_series(${from}::bigint, ${to}::bigint - 1) i
          join bench_products p on p.n = i / ${sql.raw(String(step * offersPerProduct))} * ${sql.raw(String(step))} + i % ${sql.raw(String(step))}
      ), texts as materialized (
        select rows.*, rows.title ||
                 case when i % 3 = 0 then ' with ' || extra else '' end || coalesce(' ' || other.name, '') as longer,
               case when i % 20 = 19 then '' else left(adjective || ' ' || noun || ' by ' || brand || '. ' ||
                 array_to_string(rows.text, ' ') || ' ' || other.text, 5000) end as description
          from rows join bench_texts other on other.n = abs(hashint8extended(i, 30)) % ${textCount}::int
      ), inserted as (
        insert into deals (id, slug, title, description, image_url, sale_price, original_price, coupon_code, expires_at,
                           is_expired, deal_url, is_active, is_featured, status, seller_type, availability, category_id,
                           merchant_id, external_id, brand, gtin, product_id, price_source, price_since, price_checked_at, low_30_before, created_at)
        select i + 1, lower(replace(brand || '-' || noun || '-' || model || '-' || i, ' ', '-')),
               longer, description, '/media/' || i || '.avif', price,
               case when i % 10 < 8 then round(price * (1.1 + ${sql.raw(dice(9))}))::int end,
               case when i % 12 = 0 then 'SAVE' || i % 90 end,
               case when i % 20 < 3 then created_at + interval '3 days'
                    when i % 20 < 8 then timestamptz '2030-01-01' + ${sql.raw(dice(10))} * interval '90 days' end,
               i % 20 < 3, 'https://shop-' || ${sql.raw(zipf(11, merchantCount))} || '.example/item/' || i,
               i % 50 <> 49, i % 40 = 7, case when i % 5 = 0 then 'used' else 'new' end,
               case when i % 4 = 0 then 'third_party' else 'amazon' end,
               case when i % 25 = 0 then 'out_of_stock' else 'in_stock' end, category,
               ${sql.raw(zipf(11, merchantCount))}, i::text, brand, gtin, product_id, 'feed',
               created_at + interval '2 days', created_at + interval '3 days',
               least(${sql.raw(earlierPrices('price', 'i + 1'))}), created_at
          from texts
        returning id, sale_price, original_price, availability, created_at, is_active, is_expired, traits, category_id,
                  merchant_id, expires_at, brand, title, description
      ), searched as (
        insert into deal_texts (deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, brand, title, search)
        select id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, fold(brand), fold(title),
               deal_words(title, description)
          from inserted
      )
      insert into price_log (deal_id, at, sale_price, original_price, availability, source)
      select id, created_at + (n - 1) * interval '12 hours',
             (array[${sql.raw(earlierPrices('sale_price', 'id'))}, sale_price])[n],
             original_price, availability, 'feed'
        from inserted, generate_series(1, ${pricesPerDeal}::int) n
      union all
      select id, timestamptz '${sql.raw(newest)}' - n * interval '1 day',
             greatest(1, sale_price::bigint * (90 + abs(hashint8extended(id, n)) % 40) / 100)::int, original_price, availability, 'feed'
        from inserted, generate_series(${daysWatched}::int, 1, -1) n
       where id % ${watched}::int = 0`.execute(tx);
  });
}

const countedDeals = {
  all_deals: 'true',
  active_deals: 'is_active',
  featured_deals: 'is_featured',
  expired_deals: 'is_expired',
};

async function writeWhatTriggersKeep(db: Db): Promise<void> {
  await withoutTriggers(db, async (tx) => {
    for (const table of ['categories', 'merchants'] as const) {
      const key = table === 'categories' ? 'category_id' : 'merchant_id';
      await sql`
        update ${sql.ref(table)} t set deal_count = c.live
          from (select ${sql.ref(key)} as id, count(*) as live from deals where is_active and not is_expired group by 1) c
         where c.id = t.id`.execute(tx);
    }
    await sql`
      update site_counters set value = (select count(*) from deals where is_active and not is_expired)
       where name = 'live_deals'`.execute(tx);
    for (const [name, condition] of Object.entries(countedDeals)) {
      await sql`
        update site_counters set value = (select count(*) from deals where ${sql.raw(condition)})
         where name = ${name}`.execute(tx);
    }
    await sql`select setval(pg_get_serial_sequence(name, 'id'), 10000000)
                from unnest(array['deals', 'categories', 'merchants']) name`.execute(tx);
    await sql`
      insert into product_links (deal_id, to_product)
      select id, product_id from deals where product_id is not null order by id`.execute(tx);
    await sql`select rebuild_search_words()`.execute(tx);
    await sql`select rebuild_price_proofs(null)`.execute(tx);
    // Does the work of price_proofs_stand for each price. Otherwise no deal would have a checked
    // discount.
    await sql`
      update price_proofs p
         set (below_usual, lower_until, higher_until, usual_price, reference_price) =
             (select s.* from price_standing(p.at, p.price, p.claim, p.measured_price) s)`.execute(
      tx,
    );
    await sql`select keep_reference_prices(array(select deal_id from price_proofs))`.execute(tx);
  });
}

/** Runs the work with triggers disabled. The connection's user must be a superuser. */
export async function withoutTriggers(db: Db, work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await work(tx);
  });
}
