import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
import type { Route } from './+types/message-page';
import { listPeopleWith } from '#app/features/accounts/people/user-table-queries.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findContactMessage, listAnswers } from '#app/features/contact/contact-queries.server.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMessage } from './act-on-message.server.ts';
import { AnswerForm } from './answer-form.tsx';
import { AssignForm } from './assign-form.tsx';
import { MessagePills } from './message-pills.tsx';
import { MessageThread } from './message-thread.tsx';
import styles from './message-page.module.css';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'contact.manage');
  const { db, now } = appServices(context);
  const message = await findContactMessage(db, parseRowId(params.id) ?? 0);
  if (!message) throw data(null, { status: 404 });
  const [answers, colleagues] = await Promise.all([
    listAnswers(db, message.id),
    listPeopleWith(db, 'contact.manage'),
  ]);
  const backTo = backToList(request.url, '/admin/messages');
  return {
    message,
    answers,
    colleagues,
    viewerId: viewer.id,
    op: randomUUID(),
    now: now(),
    backTo,
  };
}

export function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'contact.manage');
  return actOnMessage(request, context, { viewer, id: parseRowId(params.id) ?? 0 });
}

export const meta = titled('Message');

export default function MessagePage({ loaderData, actionData }: Route.ComponentProps) {
  const { message, answers, colleagues, viewerId, op, now, backTo } = loaderData;
  const { id, name, email, subject, is_read } = message;
  const verb = is_read ? 'unread' : 'read';
  return (
    <>
      <AdminHeading
        title={subject}
        more={
          <ButtonLink to={backTo} variant="quiet">
            All messages
          </ButtonLink>
        }
      >
        From {name}, {email}
      </AdminHeading>
      <p className={styles.state}>
        {is_read ? <StatusPill variant="plain">Read</StatusPill> : null}
        <MessagePills message={message} />
        <span>
          Received <RelativeTime at={message.created_at} now={now} />
          {message.reader === null ? null : `, read by ${message.reader}`}
          {message.closer === null ? null : `, closed by ${message.closer}`}
        </span>
      </p>
      <div className={styles.columns}>
        <div>
          <MessageThread message={message} answers={answers} now={now} />
          <AnswerForm
            key={answers.length}
            outcome={actionData ?? undefined}
            message={message}
            op={op}
            backTo={backTo}
          />
        </div>
        <aside className={styles.aside} aria-label="This message">
          <AssignForm message={message} colleagues={colleagues} viewerId={viewerId} />
          <div className={styles.acts}>
            <PostButton fields={{ intent: message.closed_at ? 'reopen' : 'close', id: String(id) }}>
              {message.closed_at ? 'Reopen' : 'Close'}
            </PostButton>
            <PostButton fields={{ intent: verb, id: String(id) }}>{`Mark as ${verb}`}</PostButton>
            <ConfirmAct
              label="Delete"
              question={inboxMessages.confirmDelete}
              detail={<p>“{subject}” cannot be restored.</p>}
              fields={{ intent: 'delete', id: String(id) }}
            />
          </div>
          <p>
            <a href={replyHref(email, subject)}>Reply from your own email app</a>
          </p>
          <p>
            <Link to={`/admin/messages?state=all&q=${encodeURIComponent(email)}`}>
              All from this address
            </Link>
          </p>
        </aside>
      </div>
    </>
  );
}

/** Returns an address that opens the user's own email client. */
function replyHref(email: string, subject: string): string {
  const [local = '', host = ''] = email.split(/@(?=[^@]*$)/);
  const address = `${encodeURIComponent(local)}@${encodeURIComponent(host)}`;
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subject}`)}`;
}
