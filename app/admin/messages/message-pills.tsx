import type { ContactMessage } from '#app/features/contact/contact-queries.server.ts';
import { StatusPill } from '../frame/status-pill.tsx';

/** The state of a message. */
export function MessagePills({
  message: { is_read, closed_at, answers, hasFailed },
}: {
  message: Pick<ContactMessage, 'is_read' | 'closed_at' | 'answers' | 'hasFailed'>;
}) {
  return (
    <>
      {is_read ? null : <StatusPill variant="warn">Unread</StatusPill>}
      {hasFailed ? <StatusPill variant="bad">Answer failed</StatusPill> : null}
      {answers > 0 && !hasFailed ? <StatusPill variant="good">Answered</StatusPill> : null}
      {closed_at ? <StatusPill variant="plain">Closed</StatusPill> : null}
    </>
  );
}
