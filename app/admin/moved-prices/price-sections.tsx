import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import type { PriceMoveRow } from '#app/features/moved-prices/price-move-queries.server.ts';
import {
  describePriceOutcome,
  type PriceCounts,
  priceOutcomes,
} from '#app/features/moved-prices/price-outcomes.ts';
import { countNoun } from '#app/platform/count-noun.ts';

const columns: PlainColumn<PriceMoveRow>[] = [
  { label: 'Line', isNumber: true, cell: ({ line }) => line },
  { label: 'Deal', cell: ({ deal }) => deal },
  { label: 'Date', cell: ({ date }) => date },
  { label: 'Price', isNumber: true, cell: ({ price }) => price },
  { label: 'Source', cell: ({ source }) => source },
];

/** The counts of a file, and the first rows of each outcome. */
export function PriceSections({
  counts,
  rows,
}: {
  counts: PriceCounts;
  rows: readonly PriceMoveRow[];
}) {
  return priceOutcomes.map((outcome) => {
    const count = counts[outcome] ?? 0;
    if (count === 0) return null;
    const first = rows.filter((row) => row.outcome === outcome);
    return (
      <section key={outcome} className="column gap-4">
        <h2>{describePriceOutcome(outcome)}</h2>
        <p>
          {countNoun(count, 'row')}
          {first.length > 0 && first.length < count ? `, the first ${first.length} shown` : ''}
        </p>
        {first.length > 0 ? (
          <PlainTable
            noun={{ one: 'row', many: 'rows' }}
            page={first}
            idOf={({ line }) => line}
            nameOf={({ line }) => `Line ${line}`}
            columns={columns}
            empty={null}
          />
        ) : null}
      </section>
    );
  });
}
