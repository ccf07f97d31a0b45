import { Link } from 'react-router';
import type { AuditRow } from '#app/features/accounts/audit-queries.server.ts';
import styles from './audit-page.module.css';
import { nameActor } from './name-actor.ts';

/** Who acted: the person while there is an account, else what is left of them. */
export function AuditActor({ row }: { row: AuditRow }) {
  if (row.actorEmail === null) return nameActor(row.actor);
  return (
    <span className={styles.actor}>
      <Link to={`/admin/users/${row.actor}`}>{row.actorName || row.actorEmail}</Link>
      {row.actorName ? <span className={styles.note}>{row.actorEmail}</span> : null}
    </span>
  );
}
