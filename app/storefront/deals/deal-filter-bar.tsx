import type { DealFacets, FacetCount } from '#app/features/deals/deal-facet-queries.server.ts';
import {
  activeFilters,
  type ListAddress,
  listHref,
  unfilteredHref,
} from '#app/features/deals/deal-list-address.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { moneyHint, moneyPattern } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import { RemovableChip } from '#app/ui/chip.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { PriceRangeField } from '#app/ui/price-range-field.tsx';
import { SelectField, type SelectOption } from '#app/ui/select-field.tsx';
import { filterOptions, pillLabel, sortLabels } from '#app/features/deals/deal-filter-options.ts';
import { dealCount, type ListTotals } from './deal-count.ts';
import { DensityToggle } from './density-toggle.tsx';
import styles from './deal-filter-bar.module.css';

const selects = [
  { name: 'category', label: 'Category' },
  { name: 'merchant', label: 'Store' },
  { name: 'status', label: 'Product Status' },
  { name: 'seller', label: 'Seller Type' },
  { name: 'type', label: 'Deal Type' },
  { name: 'evidence', label: 'History' },
] as const;

/** Parameters that other controls set. Any new choice resets the page number. */
const otherControls = ['min', 'max', 'sort', 'page'];

interface FilteredList {
  address: ListAddress;
  facets: DealFacets;
  totals: ListTotals;
}

/**
 * Renders the filters of a list or search as a form whose state is the URL. With JavaScript,
 * selects apply on change, and prices on Enter or blur (`islands/change-list.ts`). On phones, a
 * `details` labeled "Filters (n)" collapses the filters. The `details` is beside the form, since
 * wide screens show the filters even while the `details` is closed.
 */
export function DealFilterBar(list: FilteredList) {
  const { address, facets, totals } = list;
  const { path, values, sorts } = address;
  const { currency } = useSite();
  const applied = activeFilters(address);
  const shown = selects.flatMap(({ name, label }) => {
    const options = optionsOf(name, facets, values[name]);
    return options ? { name, label, options } : [];
  });
  const controls = new Set<string>([...shown.map(({ name }) => name), ...otherControls]);
  // If no deal has known contents, this order would be the same as newest first.
  const offered = sorts.filter(
    (sort) => sort !== 'unit_price' || facets.hasUnitPrices || values.sort === sort,
  );
  const unshown = Object.keys(values).filter((name) => values[name] && !controls.has(name));
  return (
    <div className={styles.bar}>
      <form
        action={path}
        aria-label="Filters"
        className={styles.form}
        // Without this attribute, a browser may restore the field values of another URL.
        autoComplete="off"
        data-filter={listHref(address)}
      >
        {unshown.map((name) => (
          <input key={name} type="hidden" name={name} value={values[name]} />
        ))}
        <details className={styles.toggle}>
          <summary>
            <Icon name="filter" />
            {applied.length > 0 ? `Filters (${applied.length})` : 'Filters'}
          </summary>
        </details>
        <div className={styles.filters}>
          {shown.map((select) => (
            <SelectField key={select.name} {...select} defaultValue={values[select.name]} />
          ))}
          <PriceRangeField
            min={values.min}
            max={values.max}
            pattern={moneyPattern(currency)}
            title={moneyHint(currency)}
          />
          <Button variant="primary" className={styles.show} data-act="fold-filters" data-needs-js>
            Show{' '}
            {dealCount(
              totals.total - totals.expiredTotal,
              totals.isTotalCapped && totals.expiredTotal === 0,
            )}
          </Button>
        </div>
        <SelectField
          name="sort"
          label="Sort"
          className={styles.sort}
          defaultValue={values.sort}
          data-usual={sorts[0]}
          options={offered.map((value) => ({ value, label: sortLabels[value] }))}
        />
        <DensityToggle />
        <Button type="submit" variant="primary" data-without-js>
          Apply
        </Button>
      </form>
      {applied.length > 0 ? <AppliedFilters {...list} /> : null}
      {values.sort === 'unit_price' ? (
        <p className="small">
          Ordered by weight, volume, length, area and pieces, each from the lowest price per unit.
          Deals with unknown contents follow, newest first.
        </p>
      ) : null}
    </div>
  );
}

/**
 * Returns the options of a filter, or `null` if the list lacks this filter. Only a search can be
 * filtered by category and store.
 */
function optionsOf(
  name: (typeof selects)[number]['name'],
  facets: DealFacets,
  chosen: string | undefined,
): SelectOption[] | null {
  const option = (value: string, label: string, { count, isCapped }: FacetCount) => {
    const number = count.toLocaleString('en-US') + (isCapped ? '+' : '');
    const isKnown = count > 0 || !isCapped;
    return {
      value,
      label: isKnown ? `${label} (${number})` : label,
      // Keeps the current choice as an option, even without results.
      isDisabled: isKnown && count === 0 && value !== chosen,
    };
  };
  if (name === 'category' || name === 'merchant') {
    const places = facets[name]?.map((place) => option(place.slug, place.name, place));
    return places?.length ? [{ value: '', label: 'All' }, ...places] : null;
  }
  const { status, sellerType: seller, dealType: type } = facets;
  const counts: Record<string, FacetCount> | undefined = {
    status,
    seller,
    type,
    evidence: undefined,
  }[name];
  const options = (filterOptions[name] ?? []).map(({ value, label }) =>
    counts
      ? option(value, label, counts[value] ?? { count: 0, isCapped: false })
      : { value, label },
  );
  return [{ value: '', label: 'All' }, ...options];
}

/**
 * The active filters, each as a pill with a link to remove it, and one link for all. Query and
 * order are kept.
 */
function AppliedFilters({ address, facets }: FilteredList) {
  const { currency } = useSite();
  const applied = activeFilters(address);
  return (
    <ul className="bar gap-2" aria-label="Applied filters">
      {applied.map((filter) => (
        <li key={filter.name}>
          <RemovableChip to={listHref(address, { [filter.name]: '' })}>
            {pillLabel(filter, facets, currency)}
          </RemovableChip>
        </li>
      ))}
      <li>
        <Link className={styles.clear} to={unfilteredHref(address)} swap="push">
          Clear Filters ({applied.length})
        </Link>
      </li>
    </ul>
  );
}
