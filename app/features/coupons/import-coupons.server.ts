import { sql } from 'kysely';
import { insertMerchant } from '#app/features/feeds/runs/import-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { CouponFields, CouponLine, CouponList } from './read-coupon-list.server.ts';

export interface ImportCouponsOptions {
  /** The name of the list. Its next import ends the coupons that it no longer contains. */
  list: string;
  /** The store of rows without a store's name. */
  store?: string | undefined;
  /** Adds stores that do not exist, instead of refusing their rows. */
  addsStores: boolean;
  /** Keeps coupons that the list no longer contains. */
  keepsMissing?: boolean;
  actor: string;
  now: Date;
  /** Reports what would change, and changes nothing. */
  dryRun?: boolean;
}

/** The number of coupons per result of the import. */
const nothing = {
  added: 0,
  changed: 0,
  unchanged: 0,
  /** Existing coupons that the list no longer contains. */
  ended: 0,
  /** Coupons whose code was already added by staff or from another list. */
  kept: 0,
  /** Coupons that had already ended before the import. */
  over: 0,
  repeated: 0,
};

export interface CouponImportReport {
  counts: typeof nothing;
  withoutCode: number;
  newStores: string[];
  problems: { line: number; message: string }[];
}

/** An unknown store has a name instead of an id. */
type Store = number | string;
interface Wanted extends CouponFields {
  store: Store;
}
interface Stored extends CouponFields {
  id: number;
  merchant_id: number;
  list: string;
}

const keyOf = (store: Store, code: string) => `${store} ${code.toUpperCase()}`;
const isOver = ({ ends_at }: CouponFields, now: Date) => ends_at !== null && ends_at <= now;

/**
 * Imports a list of coupons in one transaction. Coupons with the same code and store are the same
 * coupon, so importing a list again changes nothing.
 */
export async function importCoupons(
  db: Db,
  given: CouponList,
  options: ImportCouponsOptions,
): Promise<CouponImportReport> {
  return db.transaction().execute(async (tx) => {
    // Imports run one at a time, since each compares what is stored with what it has read.
    await sql`select pg_advisory_xact_lock(hashtext('import coupons'))`.execute(tx);
    const { stores, newStores } = await readStores(tx, given.lines, options);
    const counts = { ...nothing };
    const problems: CouponImportReport['problems'] = [];
    const wanted = new Map<string, Wanted>();
    const listed = new Set<string>();
    for (const row of given.lines) {
      const store = stores.get(nameOf(row, options));
      if (store === undefined) {
        problems.push({ line: row.line, message: refusal(nameOf(row, options)) });
        continue;
      }
      const key = keyOf(store, 'coupon' in row ? row.coupon.code : row.code);
      listed.add(key);
      if ('problem' in row) {
        problems.push({ line: row.line, message: row.problem });
        continue;
      }
      const coupon = { ...row.coupon, store };
      const other = wanted.get(key);
      if (other) counts.repeated += 1;
      wanted.set(key, other ? firstOf(other, coupon) : coupon);
    }
    const plan = compare(
      wanted,
      listed,
      await readStored(tx, stores, options.list),
      options,
      counts,
    );
    if (!options.dryRun) await write(tx, plan, options, counts);
    return { counts, withoutCode: given.withoutCode, newStores, problems };
  });
}

/** Chooses one of two coupons with the same code, regardless of the order of their rows. */
function firstOf(one: Wanted, other: Wanted): Wanted {
  return JSON.stringify(one) < JSON.stringify(other) ? one : other;
}

function nameOf(row: CouponLine, { store = '' }: ImportCouponsOptions): string {
  return (row.store || store).trim().toLowerCase();
}

function refusal(name: string): string {
  return name === '' ? 'the store is missing' : `no store, or more than one, is called “${name}”`;
}

/** Finds the stores by their names in lower case, and adds missing ones on request. */
async function readStores(tx: Db, lines: readonly CouponLine[], options: ImportCouponsOptions) {
  const written = new Map<string, string>();
  for (const row of lines) {
    const name = nameOf(row, options);
    if (name !== '' && !written.has(name))
      written.set(name, (row.store || options.store || '').trim());
  }
  const rows = await ask(tx).rows<{ name: string; id: number | null; found: number }>`
    select w.name, min(m.id) as id, count(m.id) as found
      from unnest(${[...written.keys()]}::text[]) w (name) left join merchants m on lower(m.name) = lower(w.name)
     group by w.name order by w.name`;
  const stores = new Map<string, Store>();
  const newStores: string[] = [];
  for (const { name, id, found } of rows) {
    if (id !== null && found === 1) stores.set(name, id);
    if (found > 0 || !options.addsStores) continue;
    const added = (written.get(name) ?? name).slice(0, 100);
    newStores.push(added);
    stores.set(name, options.dryRun ? name : await insertMerchant(tx, added));
  }
  return { stores, newStores };
}

/** Returns the stored coupons of the list, and those of all its stores. */
async function readStored(tx: Db, stores: ReadonlyMap<string, Store>, list: string) {
  const ids = [...stores.values()].filter((store) => typeof store === 'number');
  return ask(tx).rows<Stored>`
    select id, merchant_id, code, title, terms, url, starts_at, ends_at, list from coupons
     where merchant_id = any(${ids}::bigint[]) or list = ${list} order by id for update`;
}

interface Plan {
  inserts: Wanted[];
  updates: (CouponFields & { id: number })[];
  endings: number[];
}

function compare(
  wanted: ReadonlyMap<string, Wanted>,
  listed: ReadonlySet<string>,
  stored: readonly Stored[],
  { list, now, keepsMissing = false }: ImportCouponsOptions,
  counts: typeof nothing,
): Plan {
  const byKey = new Map(stored.map((row) => [keyOf(row.merchant_id, row.code), row]));
  const plan: Plan = { inserts: [], updates: [], endings: [] };
  for (const [key, coupon] of wanted) {
    const present = byKey.get(key);
    if (!present) {
      if (isOver(coupon, now)) counts.over += 1;
      else plan.inserts.push(coupon);
    } else if (present.list === list) {
      if (isSame(present, coupon)) counts.unchanged += 1;
      else plan.updates.push({ ...coupon, id: present.id });
    } else if (present.list !== '' && isOver(present, now) && !isOver(coupon, now)) {
      // The coupon has ended in another list, so this list takes it over.
      plan.updates.push({ ...coupon, id: present.id });
    } else counts.kept += 1;
  }
  // A list without any coupon is more likely broken than empty.
  if (listed.size > 0 && !keepsMissing) {
    plan.endings = stored
      .filter((row) => row.list === list && !isOver(row, now))
      .filter((row) => !listed.has(keyOf(row.merchant_id, row.code)))
      .map(({ id }) => id);
  }
  counts.added = plan.inserts.length;
  counts.changed = plan.updates.length;
  counts.ended = plan.endings.length;
  return plan;
}

const fields = ['code', 'title', 'terms', 'url'] as const;

function isSame(one: CouponFields, other: CouponFields): boolean {
  return (
    fields.every((name) => one[name] === other[name]) &&
    one.starts_at?.getTime() === other.starts_at?.getTime() &&
    one.ends_at?.getTime() === other.ends_at?.getTime()
  );
}

async function write(
  tx: Db,
  { inserts, updates, endings }: Plan,
  { list, actor, now }: ImportCouponsOptions,
  counts: typeof nothing,
): Promise<void> {
  const { added, changed, ended } = counts;
  if (added + changed + ended === 0) return;
  const columns = sql`code text, title text, terms text, url text, starts_at timestamptz, ends_at timestamptz`;
  await sql`
    insert into coupons (merchant_id, code, title, terms, url, starts_at, ends_at, list)
    select store, code, title, terms, url, starts_at, ends_at, ${list}
      from jsonb_to_recordset(${JSON.stringify(inserts)}::jsonb) r (store bigint, ${columns})
    on conflict do nothing`.execute(tx);
  await sql`
    update coupons c
       set code = r.code, title = r.title, terms = r.terms, url = r.url, starts_at = r.starts_at, ends_at = r.ends_at,
           list = ${list}, version = version + 1, updated_at = now()
      from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) r (id bigint, ${columns}) where c.id = r.id`.execute(
    tx,
  );
  await sql`
    update coupons set ends_at = ${now}, version = version + 1, updated_at = now()
     where id = any(${endings}::bigint[])`.execute(tx);
  const after = { list, added, changed, ended };
  await writeAudit(tx, { actor, action: 'coupon.import', entity: 'coupon', after });
}
