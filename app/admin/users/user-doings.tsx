import type { Names } from '#app/features/desk/name-things.server.ts';
import type { UserRow } from '#app/features/accounts/people/user-table-queries.server.ts';
import type { AuditRow } from '#app/platform/audit/audit-queries.server.ts';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { Link } from '#app/ui/link.tsx';
import { AuditSentence } from '../audit/audit-sentence.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import styles from './user-pages.module.css';

/** A user's latest actions in the admin, with links to all of them and to the account's history. */
export function UserDoings({
  user: { id },
  doings,
  now,
}: {
  user: UserRow;
  doings: { rows: AuditRow[]; present: Names } | null;
  now: Date;
}) {
  if (!doings) return null;
  const { rows, present } = doings;
  return (
    <div className={styles.doings}>
      <TitledSection
        id="doings"
        title="Activity"
        {...(rows.length > 0 && { link: { to: `/admin/audit?actor=${id}`, label: 'View all' } })}
      >
        {rows.length === 0 ? (
          <p className="below-4 muted">No actions in the admin yet.</p>
        ) : (
          <ol className={styles.entries}>
            {rows.map((row) => (
              <li key={row.id}>
                <AuditSentence row={row} present={present} />
                <span className="small">
                  <RelativeTime at={row.at} now={now} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </TitledSection>
      <p>
        <Link to={`/admin/audit?entity=user&id=${id}`}>Changes to this account</Link>
      </p>
    </div>
  );
}
