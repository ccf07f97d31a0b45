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
    // Scrollable by the keyboard as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
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
          {rows.map((row, index) => (
            // The rows of a feed have no other name.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
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
