import { Form } from 'react-router';
import type { TestMail } from '#app/features/desk/send-test-mail.server.ts';
import { Button } from '#app/ui/button.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { useAskAgain } from '#app/admin/frame/use-ask-again.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './settings-page.module.css';

const states = {
  queued: { variant: 'plain', word: 'Queued' },
  sent: { variant: 'good', word: 'Sent' },
  failed: { variant: 'bad', word: 'Failed' },
  cancelled: { variant: 'warn', word: 'Not sent' },
  kept: { variant: 'warn', word: 'Kept: no email server' },
} as const;

/** Tests email: sends one to the user's own address and shows the server's response. */
export function MailPart({
  mail: { way, from, sent },
  email,
  mayChange,
}: {
  mail: { way: string | null; from: string; sent: TestMail | null };
  email: string;
  mayChange: boolean;
}) {
  return (
    <section className={styles.part} aria-labelledby="mail-test">
      <h2 id="mail-test">Mail test</h2>
      <p className="muted">
        {way === null ? (
          <>
            No email server is configured. Emails are kept in the{' '}
            <Link to="/admin/outbox">outbox</Link>.
          </>
        ) : (
          <>
            Emails are sent by {way}, from {from}.
          </>
        )}
      </p>
      {mayChange ? (
        <p>
          <Link to="/admin/settings/mail-server">
            {way === null ? 'Set up an email server' : 'Email server'}
          </Link>
        </p>
      ) : null}
      <Form method="post" className={styles.act}>
        <Button type="submit" variant="primary" name="intent" value="test-mail">
          Send a test email
        </Button>
        <span>to {email}</span>
      </Form>
      {sent ? <SentMail mail={sent} /> : null}
    </section>
  );
}

/** Polls until the worker has reported a result. */
function SentMail({ mail: { id, state, words } }: { mail: TestMail }) {
  const isWaiting = state === 'queued';
  useAskAgain(isWaiting, 1_000);

  return (
    <div className={styles.result} role="status">
      <p>
        <StatusPill variant={states[state].variant}>{states[state].word}</StatusPill>{' '}
        {words || (isWaiting ? 'It will be sent within seconds.' : '')}
      </p>
      <p>
        <Link to={`/admin/outbox/${id}`}>View it in the outbox</Link>
        {isWaiting ? (
          <a data-without-js href={`/admin/settings?section=mail&mail=${id}`}>
            {' '}
            Refresh
          </a>
        ) : null}
      </p>
    </div>
  );
}
