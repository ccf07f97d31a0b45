import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import type { MoveRow } from '#app/features/moved-subscribers/subscriber-move-queries.server.ts';
import {
  describeOutcome,
  type Outcome,
  outcomes,
} from '#app/features/moved-subscribers/subscriber-outcomes.ts';
import { countNoun } from '#app/platform/count-noun.ts';

const columns: PlainColumn<MoveRow>[] = [
  { label: 'Line', isNumber: true, cell: ({ line }) => line },
  { label: 'Email', cell: ({ email }) => email },
  { label: 'Status', cell: ({ state }) => state },
];

/** The counts of a list, and the first rows of each outcome. */
export function OutcomeSections({
  counts,
  rows,
}: {
  counts: Partial<Record<Outcome, number>>;
  rows: readonly MoveRow[];
}) {
  return outcomes.map((outcome) => {
    const count = counts[outcome] ?? 0;
    if (count === 0) return null;
    const first = rows.filter((row) => row.outcome === outcome);
    return (
      <section key={outcome} className="column gap-4">
        <h2>{describeOutcome(outcome)}</h2>
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
