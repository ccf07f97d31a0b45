import { Link } from 'react-router';
import type { DealFacets, FacetCount } from '#app/features/deals/deal-facet-queries.server.ts';
import {
  activeFilters,
  type DealListInput,
  parseDealListInput,
  toSearchParams,
} from '#app/features/deals/deal-list-input.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney, parseMoney } from '#app/platform/money.ts';
import { RemovableChip } from '#app/ui/chip.tsx';
import { FilterForm } from '#app/ui/filter-form.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PriceRangeField } from '#app/ui/price-range-field.tsx';
import { SelectField, type SelectOption } from '#app/ui/select-field.tsx';
import { filterOptions, pillLabel, sortOptions } from './deal-filter-options.ts';
import { listHref } from './list-href.ts';
import styles from './deal-filter-bar.module.css';

const selects = [
  { name: 'status', facet: 'status', label: 'Status' },
  { name: 'seller', facet: 'sellerType', label: 'Seller' },
  { name: 'type', facet: 'dealType', label: 'Deal Type' },
] as const;

/**
 * The filters of a deal list, and what is applied. On phones the filters hide behind "Filters (n)", which is a
 * `details` beside them, since a wide screen shows them whether it is open or not.
 */
export function DealFilterBar({
  path,
  input,
  facets,
}: {
  path: string;
  input: DealListInput;
  facets: DealFacets;
}) {
  const applied = activeFilters(input);
  const values = {
    status: input.status ?? '',
    seller: input.sellerType ?? '',
    type: input.dealType ?? '',
    min: '',
    max: '',
    sort: input.sort,
    ...Object.fromEntries(applied.map(({ name, value }) => [name, value])),
  };
  return (
    <div className={styles.bar}>
      <FilterForm
        action={path}
        label="Filters"
        className={styles.form}
        values={values}
        hrefOf={(parameters) => listHref(path, { ...parseDealListInput(parameters), page: 1 })}
      >
        {(fields) => (
          <>
            <details className={styles.toggle}>
              <summary>
                <Icon name="filter" />
                {applied.length > 0 ? `Filters (${applied.length})` : 'Filters'}
              </summary>
            </details>
            <div className={styles.filters}>
              {selects.map(({ name, facet, label }) => (
                <SelectField
                  key={name}
                  {...fields.select(name)}
                  label={label}
                  options={optionsOf(name, facets[facet], values[name])}
                />
              ))}
              <PriceRangeField fields={fields} />
            </div>
            <SelectField
              {...fields.select('sort')}
              label="Sort"
              className={styles.sort}
              options={sortOptions}
            />
          </>
        )}
      </FilterForm>
      <AppliedFilters path={path} input={input} />
    </div>
  );
}

function optionsOf(
  name: 'status' | 'seller' | 'type',
  counts: Record<string, FacetCount>,
  chosen: string,
): SelectOption[] {
  const options = filterOptions[name].map(({ value, label }) => {
    const { count, isCapped } = counts[value] ?? { count: 0, isCapped: false };
    return {
      value,
      label: `${label} (${count.toLocaleString('en-US')}${isCapped ? '+' : ''})`,
      // What is chosen stays choosable: it is where the visitor is.
      isDisabled: count === 0 && value !== chosen,
    };
  });
  return [{ value: '', label: 'All' }, ...options];
}

/** Each applied filter as a pill whose link removes it, and one link for them all. The sort order stays. */
function AppliedFilters({ path, input }: { path: string; input: DealListInput }) {
  const { currency } = useSite();
  const applied = activeFilters(input);
  if (applied.length === 0) return null;
  const money = (decimal: string) =>
    formatMoney(parseMoney(decimal) ?? 0, currency, { wholeIfRound: true });
  return (
    <ul className={styles.applied} aria-label="Applied filters">
      {applied.map((filter) => (
        <li key={filter.name}>
          <RemovableChip to={hrefWithout(path, input, filter.name)}>
            {pillLabel(filter, money)}
          </RemovableChip>
        </li>
      ))}
      <li>
        <Link
          className={styles.clear}
          to={listHref(path, { page: 1, sort: input.sort })}
          replace
          preventScrollReset
        >
          Clear Filters ({applied.length})
        </Link>
      </li>
    </ul>
  );
}

function hrefWithout(path: string, input: DealListInput, name: string): string {
  const parameters = toSearchParams({ ...input, page: 1 });
  parameters.delete(name);
  return listHref(path, parseDealListInput(parameters));
}
