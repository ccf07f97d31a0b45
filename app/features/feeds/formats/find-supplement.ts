import type { FeedField, FeedRow } from './feed-fields.ts';

/** Attributes of Google's supplemental feeds that a deal does not have. */
const otherAttributes = new Set(
  `custom_label_0 custom_label_1 custom_label_2 custom_label_3 custom_label_4 promotion_id color size gender age_group
   material pattern identifier_exists adult multipack is_bundle shipping_label shipping_weight shipping_length
   shipping_width shipping_height transit_time_label tax tax_category ads_redirect mobile_link excluded_destination
   included_destination shopping_ads_excluded_country short_title product_highlight product_detail cost_of_goods_sold
   energy_efficiency_class min_energy_efficiency_class
   max_energy_efficiency_class installment loyalty_points loyalty_program auto_pricing_min_price maximum_retail_price
   min_handling_time max_handling_time availability_date store_code pickup_method pickup_sla lifestyle_image_link
   additional_image_link return_policy_label sell_on_google_quantity size_type size_system ships_from_country pause`.split(
    /\s+/,
  ),
);

/**
 * Whether these columns only supplement products of another feed: they have an id and known
 * attributes, but no titles or links. An unknown column may be a title in a language that no format
 * lists.
 */
export function isSupplement(fields: ReadonlySet<FeedField>, unknown: readonly string[]): boolean {
  return (
    fields.has('external_id') &&
    fields.size > 1 &&
    !fields.has('title') &&
    !fields.has('deal_url') &&
    unknown.every((name) => otherAttributes.has(name))
  );
}

/** The number of products that suffice to decide. */
const rowsInspected = 20;

/**
 * Reads the first products of a feed without a header. If none has a title or link, the feed is
 * supplemental. Errors are thrown when the failing rows are consumed.
 */
export async function findSupplement(
  rows: AsyncGenerator<FeedRow>,
): Promise<{ rows: AsyncGenerator<FeedRow>; isSupplement: boolean }> {
  const first: FeedRow[] = [];
  let failure: { error: unknown } | null = null;
  try {
    while (first.length < rowsInspected) {
      const { done, value } = await rows.next();
      if (done) break;
      first.push(value);
      if (!isSupplementRow(value)) break;
    }
  } catch (error) {
    failure = { error };
  }
  async function* all() {
    try {
      yield* first;
      if (failure) throw failure.error;
      yield* rows;
    } finally {
      await rows.return(undefined);
    }
  }
  return { rows: all(), isSupplement: first.length > 0 && first.every(isSupplementRow) };
}

function isSupplementRow({ values, problem }: FeedRow): boolean {
  const { external_id, title, deal_url, ...others } = values;
  return (
    problem === undefined &&
    external_id !== undefined &&
    title === undefined &&
    deal_url === undefined &&
    Object.keys(others).length > 0
  );
}
