import { Link } from 'react-router';
import {
  activeFilterCount,
  parseSearchInput,
  type SearchInput,
  type SearchSort,
} from '#app/features/search/search-input.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { centsToDecimal, formatMoney } from '#app/platform/money.ts';
import { RemovableChip } from '#app/ui/chip.tsx';
import { FilterForm } from '#app/ui/filter-form.tsx';
import { PriceRangeField } from '#app/ui/price-range-field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { searchHref } from './search-href.ts';
import styles from './search-filter-bar.module.css';

const sortOptions: { value: SearchSort; label: string }[] = [
  { value: 'relevance', label: 'Relevance' },
  { value: 'price_low', label: 'Price: low to high' },
  { value: 'price_high', label: 'Price: high to low' },
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
];

/** Order and price range of a search; the text itself is in the header's search box. */
export function SearchFilterBar({ input }: { input: SearchInput }) {
  const { currency } = useSite();
  const money = (cents: number) => formatMoney(cents, currency, { wholeIfRound: true });
  const count = activeFilterCount(input);
  const hidden = { search: input.query, ...(input.isExact ? { exact: '1' } : {}) };
  const values = {
    ...hidden,
    sort: input.sort,
    min: input.minPrice === null ? '' : plain(input.minPrice),
    max: input.maxPrice === null ? '' : plain(input.maxPrice),
  };
  return (
    <div className={styles.bar}>
      <FilterForm
        action="/deals"
        label="Filters"
        className={styles.form}
        values={values}
        hrefOf={(parameters) => searchHref(parseSearchInput(parameters), { page: 1 })}
      >
        {(fields) => (
          <>
            {Object.entries(hidden).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <PriceRangeField fields={fields} />
            <SelectField
              {...fields.select('sort')}
              label="Sort"
              className={styles.sort}
              options={sortOptions}
            />
          </>
        )}
      </FilterForm>
      {count > 0 ? (
        <ul className={styles.applied} aria-label="Applied filters">
          {input.minPrice === null ? null : (
            <li>
              <RemovableChip to={searchHref(input, { minPrice: null, page: 1 })}>
                {`From ${money(input.minPrice)}`}
              </RemovableChip>
            </li>
          )}
          {input.maxPrice === null ? null : (
            <li>
              <RemovableChip to={searchHref(input, { maxPrice: null, page: 1 })}>
                {`Up to ${money(input.maxPrice)}`}
              </RemovableChip>
            </li>
          )}
          <li>
            <Link
              className={styles.clear}
              to={searchHref(input, { minPrice: null, maxPrice: null, page: 1 })}
              replace
              preventScrollReset
            >
              Clear Filters ({count})
            </Link>
          </li>
        </ul>
      ) : null}
    </div>
  );
}

/** `2500` → `25`, as a person would have typed it. */
function plain(cents: number): string {
  return centsToDecimal(cents).replace(/\.00$/, '');
}
