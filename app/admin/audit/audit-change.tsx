import type { FieldChange } from './describe-change.ts';
import styles from './audit-page.module.css';

const shownAtOnce = 3;

/** Before and after, field by field; where there are many, behind a line that opens. */
export function AuditChange({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return '-';
  const list = (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.name}>
          <span className={styles.field}>{change.name}</span> <Values change={change} />
        </li>
      ))}
    </ul>
  );
  if (changes.length <= shownAtOnce) return list;
  return (
    <details className={styles.more}>
      <summary>{`${changes.length} fields`}</summary>
      {list}
    </details>
  );
}

function Values({ change: { before, after } }: { change: FieldChange }) {
  return (
    <>
      {before === null ? null : (
        <del>
          <span className="visually-hidden">was </span>
          {before}
        </del>
      )}
      {before === null || after === null ? null : <span aria-hidden="true"> → </span>}
      {after === null ? null : (
        <ins>
          <span className="visually-hidden">became </span>
          {after}
        </ins>
      )}
    </>
  );
}
