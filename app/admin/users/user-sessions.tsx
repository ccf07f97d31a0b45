import { PostButton } from '#app/ui/act-form.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import type { readSessions } from './read-user.server.ts';
import styles from './user-pages.module.css';

/** A colleague's sessions, with buttons that end one or all. */
export function UserSessions({
  sessions,
  name,
  now,
}: {
  sessions: Awaited<ReturnType<typeof readSessions>>;
  name: string;
  now: Date;
}) {
  if (!sessions) return null;
  return (
    <div className={styles.doings}>
      <TitledSection id="sessions" title="Sessions">
        {sessions.length === 0 ? (
          <p className="below-4 muted">Not signed in anywhere.</p>
        ) : (
          <>
            <ul className={`${styles.entries} below-4`}>
              {sessions.map(({ id, browser, createdAt, lastSeenAt }) => (
                <li key={id} className={styles.session}>
                  <span>
                    {browser}
                    <span className={`small ${styles.when}`}>
                      Signed in <RelativeTime at={createdAt} now={now} />, last used{' '}
                      <RelativeTime at={lastSeenAt} now={now} />
                    </span>
                  </span>
                  <PostButton
                    fields={{ intent: 'end-session', session: id }}
                    aria-label={`End session in ${browser}`}
                  >
                    End
                  </PostButton>
                </li>
              ))}
            </ul>
            <ConfirmAct
              label="Sign out everywhere"
              question={`Sign ${name} out everywhere?`}
              detail={
                <p>
                  {sessions.length === 1 ? 'One session ends' : `${sessions.length} sessions end`}{' '}
                  at once. The password and API keys stay.
                </p>
              }
              fields={{ intent: 'end-sessions' }}
            />
          </>
        )}
      </TitledSection>
    </div>
  );
}
