import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';

/**
 * The uses of a deal's columns. Each use's code takes its columns from here, or
 * `test/deal-columns.test.ts` compares it with this list.
 *
 * - `form`: set by staff, and copied with a deal.
 * - `feed`: set by feeds; the import compares and writes it, and a rollback restores it.
 * - `rollback`: changed by an import besides those of the feed, and restored by a rollback.
 * - `announced`: a change invalidates the pages that show the deal.
 * - `exported`: a column of the CSV export.
 * - `listed`: read by cards and returned by the API for every deal. `detail`: read by the deal's
 * own page, and returned by the API for one deal.
 * - `judged`: read by cards to evaluate the price; the API returns the result.
 * - `internal`: not in any page, API response or file.
 *
 * Undoing a deletion needs no use: it keeps every column.
 */
type DealColumnUse =
  | 'form'
  | 'feed'
  | 'rollback'
  | 'announced'
  | 'exported'
  | 'listed'
  | 'detail'
  | 'judged'
  | 'internal';

/** `money` and `number` are integers, `row` is the id of a row, `time` has a zone. */
type DealColumnType = 'text' | 'money' | 'number' | 'flag' | 'time' | 'row';

export interface DealColumn<Use extends DealColumnUse = DealColumnUse> {
  type: DealColumnType;
  /** The label in the form and the export; `null` if it is in neither. */
  label: string | null;
  uses: readonly Use[];
}

function column<Use extends DealColumnUse>(
  type: DealColumnType,
  label: string | null,
  ...uses: Use[]
): DealColumn<Use> {
  return { type, label, uses };
}

/** Declares a column that is read only by staff and the site itself. */
function bare(type: DealColumnType): DealColumn<never> {
  return { type, label: null, uses: [] };
}

/** The columns of `deals`, in the order of the export. */
export const dealColumns = {
  id: column('row', 'ID', 'exported', 'listed'),
  title: column('text', 'Title', 'form', 'feed', 'announced', 'exported', 'listed'),
  slug: column('text', 'Slug', 'form', 'announced', 'exported', 'listed'),
  description: column('text', 'Description', 'form', 'feed', 'announced', 'exported', 'listed'),
  merchant_id: column('row', 'Merchant', 'form', 'announced', 'exported'),
  category_id: column('row', 'Category', 'form', 'announced', 'exported'),
  sale_price: column('money', 'Sale Price', 'form', 'feed', 'announced', 'exported', 'judged'),
  original_price: column(
    'money',
    'Original Price',
    'form',
    'feed',
    'announced',
    'exported',
    'judged',
  ),
  currency: column('text', 'Currency', 'rollback', 'announced', 'exported'),
  waits_for_price: bare('flag'),
  currency_since: bare('time'),
  discount_percent: column('number', 'Discount Percent', 'exported', 'judged'),
  held_price: column('money', 'Held Price', 'rollback', 'exported'),
  coupon_code: column('text', 'Coupon Code', 'form', 'feed', 'announced', 'exported', 'listed'),
  is_active: column('flag', 'Active', 'form', 'announced', 'exported'),
  is_featured: column('flag', 'Featured', 'form', 'announced', 'exported', 'listed'),
  availability: column('text', 'Availability', 'form', 'feed', 'announced', 'exported', 'listed'),
  status: column('text', 'Product Status', 'form', 'feed', 'announced', 'exported', 'listed'),
  condition: column('text', 'Condition', 'form', 'feed', 'announced', 'exported', 'listed'),
  seller_type: column('text', 'Seller Type', 'form', 'announced', 'exported', 'listed'),
  brand: column('text', 'Brand', 'form', 'feed', 'announced', 'exported', 'detail'),
  gtin: column('text', 'GTIN', 'form', 'feed', 'announced', 'exported', 'detail'),
  mpn: column('text', 'MPN', 'form', 'feed', 'exported'),
  item_group_id: column('text', 'Item Group ID', 'feed', 'exported'),
  net_contents: column('text', 'Net Contents', 'form', 'feed', 'announced', 'exported', 'listed'),
  shipping_cost: column(
    'money',
    'Shipping Cost',
    'form',
    'feed',
    'announced',
    'exported',
    'listed',
  ),
  deal_url: column('text', 'Deal URL', 'form', 'feed', 'announced', 'exported'),
  image_url: column('text', 'Image URL', 'form', 'feed', 'announced', 'exported', 'listed'),
  expires_at: column('time', 'Expires At', 'form', 'feed', 'announced', 'exported', 'listed'),
  external_id: column('text', 'External ID', 'rollback', 'exported'),
  created_at: column('time', 'Created At', 'announced', 'exported', 'listed'),
  updated_at: column('time', 'Updated At', 'exported', 'detail'),
  discount_amount: column('money', null, 'judged'),
  observed_percent: column('number', null, 'judged'),
  low_30_before: column('money', null, 'announced', 'judged'),
  reference_price: column('money', null, 'announced', 'judged'),
  checked_percent: column('number', null, 'judged'),
  price_source: column('text', null, 'rollback', 'judged'),
  price_since: column('time', null, 'announced', 'judged'),
  price_checked_at: column('time', null, 'rollback', 'announced', 'listed'),
  held_at: column('time', null, 'rollback'),
  is_expired: column('flag', null, 'announced', 'listed'),
  is_demo: bare('flag'),
  version: bare('number'),
  product_id: column('row', null, 'announced', 'internal'),
  product_confirmed: column('flag', null, 'internal'),
  refused_price: column('money', null, 'rollback', 'internal'),
  feed_source_id: column('row', null, 'rollback', 'internal'),
  link_checked_at: column('time', null, 'internal'),
  link_missed_at: column('time', null, 'internal'),
  link_broken_since: column('time', null, 'internal'),
  link_trusted_at: column('time', null, 'internal'),
  traits: column('number', null, 'internal'),
} satisfies Record<keyof Database['deals'], DealColumn>;

export type DealColumnName = keyof typeof dealColumns;

/** The columns that have one of these uses. */
export type ColumnFor<Use extends DealColumnUse> = {
  [Name in DealColumnName]: Extract<(typeof dealColumns)[Name]['uses'][number], Use> extends never
    ? never
    : Name;
}[DealColumnName];

type StaffColumn = Exclude<DealColumnName, ColumnFor<'internal'>>;

/** Some columns of a deal, as the database returns them. */
export type DealColumns<Name extends DealColumnName> = Pick<Selectable<Database['deals']>, Name>;

/** A deal as editors see it, inactive and held ones included. */
export type EditableDeal = DealColumns<StaffColumn>;

// Not cached, since a test declares an additional column to find code that misses it.
const declared: Readonly<Record<string, DealColumn>> = dealColumns;

/** Returns the columns that have any of the uses, in the order of declaration. */
export function columnsFor<Use extends DealColumnUse>(...uses: Use[]): ColumnFor<Use>[] {
  return Object.keys(declared).filter((name): name is ColumnFor<Use> => has(name, ...uses));
}

export function columnsForStaff(): StaffColumn[] {
  return Object.keys(declared).filter((name): name is StaffColumn => !has(name, 'internal'));
}

function has(name: string, ...uses: DealColumnUse[]): boolean {
  return declared[name]?.uses.some((use) => uses.includes(use)) ?? false;
}
