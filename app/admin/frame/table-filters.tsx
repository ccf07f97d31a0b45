import type { ReactNode } from 'react';
import {
  parseTableQuery,
  type TableQuery,
  tableHref,
  type TableSpec,
} from '#app/platform/table-query.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { FilterForm } from '#app/ui/filter-form.tsx';
import { SelectField, type SelectOption } from '#app/ui/select-field.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import styles from './table-filters.module.css';

export interface TableFilter {
  name: string;
  label: string;
  /** The options, without one for "all". */
  options: SelectOption[];
  allLabel?: string;
}

const none: never[] = [];

/**
 * Search and filters of a table: a GET form with its state in the URL. The key `/` focuses it.
 */
export function TableFilters<Sort extends string, Filter extends string>({
  spec,
  query,
  searchLabel,
  filters = none,
  dates = none,
  views = none,
  tools,
}: {
  spec: TableSpec<Sort, Filter>;
  query: TableQuery<Sort, Filter>;
  /**
   * The label of the search, such as "Search by title or merchant". `null` if there is no search.
   */
  searchLabel: string | null;
  filters?: (TableFilter & { name: Filter })[];
  /** Filters by date. */
  dates?: { name: Filter; label: string }[];
  /** URLs by label, for lists that no filter selects and for sort orders without a column. */
  views?: { label: string; href: string }[];
  /** Tools for the current list, after its filters. */
  tools?: ReactNode;
}) {
  const here = tableHref(spec, query, { page: 1 });
  const selected = Object.fromEntries(
    Object.entries<string | null>(query.filters).map(([name, value]) => [name, value ?? '']),
  );
  const sort = `${query.isDescending ? '-' : ''}${query.sort}`;
  const count = Object.values(selected).filter((value) => value !== '').length;
  const columns = query.columns?.join(' ') ?? '';
  const values = { q: query.search, ...selected, sort, columns };
  return (
    <div className={styles.bar}>
      <FilterForm
        action={spec.path}
        label="Filters"
        className={`row gap-2 ${styles.form}`}
        values={values}
        hrefOf={(params) => tableHref(spec, parseTableQuery(spec, params), { page: 1 })}
      >
        {(fields) => (
          <>
            {searchLabel === null ? null : (
              <input
                {...fields.search('q')}
                type="search"
                className={styles.search}
                aria-label={searchLabel}
                placeholder={searchLabel}
                maxLength={100}
                data-key-search
              />
            )}
            {filters.length + dates.length > 1 ? (
              <label className={styles.fold}>
                <input type="checkbox" />
                <span>{count > 0 ? `Filters (${count})` : 'Filters'}</span>
              </label>
            ) : null}
            {filters.map(({ name, label, options, allLabel = 'All' }) => (
              <SelectField
                key={name}
                {...fields.select(name)}
                label={label}
                options={[{ value: '', label: allLabel }, ...options]}
              />
            ))}
            {dates.map(({ name, label }) => (
              <label key={name} className={styles.date}>
                <span>{label}</span>
                <input {...fields.text(name)} type="date" />
              </label>
            ))}
            {/* Hidden fields keep filters without a control, even without JavaScript. */}
            <HiddenFields
              fields={Object.fromEntries(
                Object.entries(values).filter(
                  ([name, value]) =>
                    value !== '' &&
                    name !== 'q' &&
                    ![...filters, ...dates].some((filter) => filter.name === name),
                ),
              )}
            />
          </>
        )}
      </FilterForm>
      {views.length > 0 ? (
        <nav aria-label="Views" className={`row gap-2 ${styles.views}`}>
          {views.map(({ label, href }) => (
            <ChipLink key={label} to={href} isCurrent={href === here}>
              {label}
            </ChipLink>
          ))}
        </nav>
      ) : null}
      {tools}
    </div>
  );
}
