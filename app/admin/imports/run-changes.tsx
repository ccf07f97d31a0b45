import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { feedFields } from '#app/features/feeds/formats/feed-fields.ts';
import { describeReductions } from '#app/features/feeds/runs/describe-reductions.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Link } from '#app/ui/link.tsx';
import type { FieldChange, PriceChange } from '#database/schema/feed-tables.ts';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import { fieldLabel } from './import-words.ts';
import styles from './imports.module.css';

interface DryRun {
  rows_read: number;
  rows_rejected: number;
  rows_reduced: number;
  field_changes: Record<string, number> | null;
}

/** Shows the dry run's summary: its sale prices, and the number of changed deals per field. */
export function FeedSummary({ run }: { run: DryRun }) {
  const reductions = describeReductions(run.rows_reduced, run.rows_read - run.rows_rejected);
  const changes = Object.entries(run.field_changes ?? {});
  if (reductions === null) return null;
  return (
    <section className={styles.part} aria-labelledby="feed-summary">
      <h2 id="feed-summary">Feed summary</h2>
      <p className={styles.lead}>{reductions}.</p>
      {changes.length === 0 ? null : (
        <p className={styles.lead}>
          Would change:{' '}
          {changes
            .map(([field, deals]) => `${labelOf(field)} of ${deals.toLocaleString('en-US')}`)
            .join(', ')}
          .
        </p>
      )}
    </section>
  );
}

function labelOf(name: string): string {
  const field = feedFields.find((known) => known === name);
  return field ? fieldLabel(field) : name === 'status' ? 'Product Status' : name;
}

/** Lists the changes of a run, with prices in its currency. */
interface RunChanges {
  changes: PriceChange[];
  currency: string;
}

/** The first deals of a dry run that would change in more than their price. */
export function FieldChanges({ changes, currency }: RunChanges) {
  const lines = changes.filter(({ fields = [] }) => fields.length > 0);
  if (lines.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="fields">
      <h2 id="fields">Other changes{lines.length < 50 ? '' : ', the first'}</h2>
      <PlainTable
        noun={{ one: 'deal', many: 'deals' }}
        page={lines}
        idOf={({ line, slug }) => `${line} ${slug}`}
        nameOf={({ title }) => title}
        empty={null}
        columns={[dealColumn(), fieldsColumn(currency)]}
      />
    </section>
  );
}

function FieldLine({
  change: { field, before, after },
  currency,
  beforeCurrency,
}: {
  change: FieldChange;
  currency: string;
  beforeCurrency: string;
}) {
  const words = (text: string | null, unit: string) => {
    if (text === null || text === '') return 'nothing';
    return field.endsWith('_price') ? formatMoney(Number(text), unit) : text;
  };
  return (
    <li>
      <strong>{labelOf(field)}</strong>: <del>{words(before, beforeCurrency)}</del>{' '}
      {words(after, currency)}
    </li>
  );
}

function fieldsColumn(currency: string): PlainColumn<PriceChange> {
  return {
    label: 'Change',
    cell: ({ fields = [], before_currency: beforeCurrency = currency }) => (
      <ul className={`stack gap-1 anywhere ${styles.changes}`}>
        {fields.map((one) => (
          <FieldLine
            key={one.field}
            change={one}
            currency={currency}
            beforeCurrency={beforeCurrency}
          />
        ))}
      </ul>
    ),
  };
}

function dealColumn(): PlainColumn<PriceChange> {
  return {
    label: 'Deal',
    cell: ({ title, slug, line }) => (
      <>
        <Link to={`/deals/${slug}`}>{title}</Link>
        <span className={styles.sub}>line {line}</span>
      </>
    ),
  };
}

/** The first prices that a dry run would change. */
export function PriceChanges({ changes, currency }: RunChanges) {
  if (changes.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="prices">
      <h2 id="prices">Price changes{changes.length < 50 ? '' : ', the first 50'}</h2>
      <PlainTable
        noun={{ one: 'price', many: 'prices' }}
        page={changes}
        idOf={({ line, slug }) => `${line} ${slug}`}
        nameOf={({ title }) => title}
        empty={null}
        columns={changeColumns(currency)}
      />
    </section>
  );
}

function changeColumns(currency: string): PlainColumn<PriceChange>[] {
  return [
    dealColumn(),
    {
      label: 'Price',
      isNumber: true,
      cell: ({ before, before_currency: beforeCurrency = currency, after }) => (
        <span className={`figures nowrap ${styles.price}`}>
          <del>{formatMoney(before, beforeCurrency)}</del> {formatMoney(after, currency)}
        </span>
      ),
    },
    {
      label: 'Change',
      isNumber: true,
      cell: ({ before, after, is_held }) => (
        <>
          {after > before ? '+' : '−'}
          {Math.abs(Math.round((100 * (after - before)) / before))}%{' '}
          {is_held ? <StatusPill variant="warn">Held</StatusPill> : null}
        </>
      ),
    },
  ];
}
