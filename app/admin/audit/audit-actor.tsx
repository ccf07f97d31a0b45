import { Link } from 'react-router';
import type { Person } from '#app/features/accounts/people/user-table-queries.server.ts';
import styles from './audit-page.module.css';
import { nameActor } from './name-actor.ts';

/** Who acted: the person while there is an account, else what is left of them. */
export function AuditActor({ id, person }: { id: string; person: Person | undefined }) {
  if (!person) return nameActor(id);
  return (
    <span className={styles.actor}>
      <Link to={`/admin/users/${id}`}>{person.full_name || person.email}</Link>
      {person.full_name ? <span className={styles.note}>{person.email}</span> : null}
    </span>
  );
}
