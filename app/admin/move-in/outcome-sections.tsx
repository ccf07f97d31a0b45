import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { countNoun } from '#app/platform/count-noun.ts';

/** The counts of an uploaded file, and the first rows of each outcome. */
export function OutcomeSections<
  Outcome extends string,
  Row extends { line: number; outcome: Outcome },
>({
  outcomes,
  describe,
  counts,
  rows,
  columns,
}: {
  /** The outcomes in the order of the page. */
  outcomes: readonly Outcome[];
  describe: (outcome: Outcome) => string;
  counts: Partial<Record<Outcome, number>>;
  rows: readonly Row[];
  /** The columns after the line number. */
  columns: readonly PlainColumn<Row>[];
}) {
  const line: PlainColumn<Row> = { label: 'Line', isNumber: true, cell: (row) => row.line };
  return outcomes.map((outcome) => {
    const count = counts[outcome] ?? 0;
    if (count === 0) return null;
    const first = rows.filter((row) => row.outcome === outcome);
    return (
      <section key={outcome} className="column gap-4">
        <h2>{describe(outcome)}</h2>
        <p>
          {countNoun(count, 'row')}
          {first.length > 0 && first.length < count ? `, the first ${first.length} shown` : ''}
        </p>
        {first.length > 0 ? (
          <PlainTable
            noun={{ one: 'row', many: 'rows' }}
            page={first}
            idOf={(row) => row.line}
            nameOf={(row) => `Line ${row.line}`}
            columns={[line, ...columns]}
            empty={null}
          />
        ) : null}
      </section>
    );
  });
}
