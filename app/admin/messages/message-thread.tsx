import type {
  ContactAnswer,
  ContactMessage,
} from '#app/features/contact/contact-queries.server.ts';
import { Link } from '#app/ui/link.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { type PillVariant, StatusPill } from '../frame/status-pill.tsx';
import styles from './message-page.module.css';

/** Messages and answers in order, oldest first. */
export function MessageThread({
  message,
  answers,
  now,
}: {
  message: ContactMessage;
  answers: ContactAnswer[];
  now: Date;
}) {
  return (
    <ol className={styles.thread} aria-label="Messages and answers">
      <li className={styles.theirs}>
        <p className={`small anywhere ${styles.by}`}>
          <b>{message.name}</b> <RelativeTime at={message.created_at} now={now} />
        </p>
        <p className={styles.text}>{message.message}</p>
      </li>
      {answers.map((answer) => (
        <li key={answer.id} className={styles.ours}>
          <p className={`small anywhere ${styles.by}`}>
            <b>{answer.authorName || answer.author || 'A deleted account'}</b>{' '}
            <RelativeTime at={answer.created_at} now={now} /> <Delivery answer={answer} />
          </p>
          <p className={styles.text}>{answer.body}</p>
          {answer.mail === 'failed' ? (
            <p className={`small anywhere ${styles.by}`}>
              {answer.mailError}{' '}
              <Link to={`/admin/outbox/${answer.mailId}`}>View or resend the email</Link>
            </p>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

const states: Record<
  NonNullable<ContactAnswer['mail']>,
  readonly [variant: PillVariant, words: string]
> = {
  queued: ['plain', 'On its way'],
  sent: ['good', 'Sent'],
  failed: ['bad', 'Failed'],
  cancelled: ['bad', 'Not sent'],
  kept: ['warn', 'Kept (no email server)'],
};

/** The email's state. Renders nothing if the outbox no longer has the email. */
function Delivery({ answer: { mail } }: { answer: ContactAnswer }) {
  if (mail === null) return null;
  const [variant, words] = states[mail];
  return <StatusPill variant={variant}>{words}</StatusPill>;
}
