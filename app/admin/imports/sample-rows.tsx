import styles from './imports.module.css';

/** A feed's first rows in its own words; wider than the page, so it scrolls by itself. */
export function SampleRows({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly Record<string, string>[];
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable by the keyboard as well
    <section className={styles.scroll} tabIndex={0} aria-label="Sample rows">
      <table className={styles.samples}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(rows).map(([place, row]) => (
            <tr key={place}>
              {columns.map((name) => (
                <td key={name}>{row[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
