import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';

/**
 * What a column of a deal is used for. The code of each use takes its columns from here, or is held to this list by
 * `test/deal-columns.test.ts`.
 *
 * - `form`: staff set it, and a copy of a deal has it.
 * - `feed`: a feed may set it; the import compares and writes it, and a rollback puts it back.
 * - `rollback`: an import changes it beside those of the feed, and a rollback puts it back.
 * - `announced`: a change of it empties the pages that show the deal.
 * - `exported`: a column of the CSV export.
 * - `api`: the API tells it of every deal. `detail`: of a single deal, as the deal's own page does. Prices are told as
 *   they are judged, merchant and category by their names.
 * - `internal`: no page, program or file gets it.
 *
 * Undoing a deletion needs no use: it keeps every column.
 */
type DealColumnUse =
  | 'form'
  | 'feed'
  | 'rollback'
  | 'announced'
  | 'exported'
  | 'api'
  | 'detail'
  | 'internal';

/** `cents` and `number` are integers, `row` is the id of a row, `time` has a zone, `words` are what search reads. */
type DealColumnType = 'text' | 'cents' | 'number' | 'flag' | 'time' | 'row' | 'words';

export interface DealColumn<Use extends DealColumnUse = DealColumnUse> {
  type: DealColumnType;
  /** Its name in the form and in the export; null where it is in neither. */
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

/** Staff and the site read it, and that is all. */
function bare(type: DealColumnType): DealColumn<never> {
  return { type, label: null, uses: [] };
}

/** The columns of `deals`, in the order of the export. */
export const dealColumns = {
  id: column('row', 'ID', 'exported', 'api'),
  title: column('text', 'Title', 'form', 'feed', 'announced', 'exported', 'api'),
  slug: column('text', 'Slug', 'form', 'announced', 'exported', 'api'),
  description: column('text', 'Description', 'form', 'feed', 'announced', 'exported', 'api'),
  merchant_id: column('row', 'Merchant', 'form', 'announced', 'exported'),
  category_id: column('row', 'Category', 'form', 'announced', 'exported'),
  sale_price: column('cents', 'Sale Price', 'form', 'feed', 'announced', 'exported'),
  original_price: column('cents', 'Original Price', 'form', 'feed', 'announced', 'exported'),
  discount_percent: column('number', 'Discount Percent', 'exported'),
  held_price: column('cents', 'Held Price', 'rollback', 'exported'),
  coupon_code: column('text', 'Coupon Code', 'form', 'feed', 'announced', 'exported', 'api'),
  is_active: column('flag', 'Active', 'form', 'announced', 'exported'),
  is_featured: column('flag', 'Featured', 'form', 'announced', 'exported', 'api'),
  availability: column('text', 'Availability', 'form', 'feed', 'announced', 'exported', 'api'),
  status: column('text', 'Product Status', 'form', 'feed', 'announced', 'exported', 'api'),
  condition: column('text', 'Condition', 'form', 'feed', 'announced', 'exported', 'api'),
  seller_type: column('text', 'Seller Type', 'form', 'announced', 'exported', 'api'),
  brand: column('text', 'Brand', 'form', 'feed', 'announced', 'exported', 'detail'),
  gtin: column('text', 'GTIN', 'form', 'feed', 'announced', 'exported', 'detail'),
  deal_url: column('text', 'Deal URL', 'form', 'feed', 'announced', 'exported'),
  image_url: column('text', 'Image URL', 'form', 'feed', 'announced', 'exported', 'api'),
  expires_at: column('time', 'Expires At', 'form', 'feed', 'announced', 'exported', 'api'),
  external_id: column('text', 'External ID', 'exported'),
  created_at: column('time', 'Created At', 'announced', 'exported', 'api'),
  updated_at: column('time', 'Updated At', 'exported', 'detail'),
  discount_amount: bare('cents'),
  observed_percent: bare('number'),
  low_30_before: column('cents', null, 'announced'),
  price_source: column('text', null, 'rollback'),
  price_since: column('time', null, 'announced'),
  price_checked_at: column('time', null, 'announced', 'api'),
  held_at: column('time', null, 'rollback'),
  is_expired: column('flag', null, 'announced', 'api'),
  is_demo: bare('flag'),
  version: bare('number'),
  refused_price: column('cents', null, 'rollback', 'internal'),
  feed_source_id: column('row', null, 'rollback', 'internal'),
  link_checked_at: column('time', null, 'internal'),
  link_missed_at: column('time', null, 'internal'),
  link_broken_since: column('time', null, 'internal'),
  link_trusted_at: column('time', null, 'internal'),
  search: column('words', null, 'internal'),
  traits: column('number', null, 'internal'),
} satisfies Record<keyof Database['deals'], DealColumn>;

type DealColumnName = keyof typeof dealColumns;

/** The columns that have any of these uses. */
export type ColumnFor<Use extends DealColumnUse> = {
  [Name in DealColumnName]: Extract<(typeof dealColumns)[Name]['uses'][number], Use> extends never
    ? never
    : Name;
}[DealColumnName];

type StaffColumn = Exclude<DealColumnName, ColumnFor<'internal'>>;

/** Some columns of a deal, as they are read. */
export type DealColumns<Name extends DealColumnName> = Pick<Selectable<Database['deals']>, Name>;

/** A deal as those who edit it see it, inactive and held ones included. */
export type EditableDeal = DealColumns<StaffColumn>;

// Read anew by each caller, and not kept: a test declares one more and looks who forgets it.
const declared: Readonly<Record<string, DealColumn>> = dealColumns;

/** The columns that have any of the uses, in the order they are declared in. */
export function columnsFor<Use extends DealColumnUse>(...uses: Use[]): ColumnFor<Use>[] {
  return Object.keys(declared).filter((name): name is ColumnFor<Use> => has(name, ...uses));
}

export function columnsForStaff(): StaffColumn[] {
  return Object.keys(declared).filter((name): name is StaffColumn => !has(name, 'internal'));
}

export function dealColumn(name: DealColumnName): DealColumn {
  return dealColumns[name];
}

function has(name: string, ...uses: DealColumnUse[]): boolean {
  return declared[name]?.uses.some((use) => uses.includes(use)) ?? false;
}
