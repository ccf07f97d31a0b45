import { data } from 'react-router';
import type { Route } from './+types/message-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findContactMessage } from '#app/features/contact/contact-queries.server.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { ActForm } from '#app/ui/act-form.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMessages } from './act-on-messages.server.ts';
import styles from './message-page.module.css';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  requireRight(context, 'contact.manage');
  const { db, now } = appServices(context);
  const message = await findContactMessage(db, parseRowId(params.id) ?? 0);
  if (!message) throw data(null, { status: 404 });
  return { message, now: now(), backTo: backToList(request.url, '/admin/messages') };
}

export function action({ request, context, params }: Route.ActionArgs) {
  requireRight(context, 'contact.manage');
  const list = backToList(request.url, '/admin/messages');
  const here = list.replace('/admin/messages', `/admin/messages/${params.id}`);
  return actOnMessages(request, context, (verb) => (verb === 'unread' ? here : list));
}

export const meta = titled('Message');

export default function MessagePage({ loaderData }: Route.ComponentProps) {
  const { message, now, backTo } = loaderData;
  const { id, name, email, subject, is_read } = message;
  const verb = is_read ? 'unread' : 'read';
  return (
    <>
      <AdminHeading
        title={subject}
        more={
          <ButtonLink to={backTo} look="quiet">
            All messages
          </ButtonLink>
        }
      >
        From {name}, {email}
      </AdminHeading>
      <p className={styles.state}>
        <StatusPill look={is_read ? 'plain' : 'warn'}>{is_read ? 'Read' : 'Unread'}</StatusPill>{' '}
        Received <RelativeTime at={message.created_at} now={now} />
        {message.reader === null ? null : `, read by ${message.reader}`}
      </p>
      <p className={styles.text}>{message.message}</p>
      <div className={styles.acts}>
        <a href={replyHref(email, subject)} className={buttonClass({ look: 'primary' })}>
          Reply by mail
        </a>
        <ActForm fields={{ intent: verb, id: String(id) }}>
          <Button type="submit">{`Mark as ${verb}`}</Button>
        </ActForm>
        <ConfirmAct
          label="Delete"
          question={inboxMessages.confirmDelete}
          detail={<p>“{subject}” cannot be brought back.</p>}
          fields={{ intent: 'delete', id: String(id) }}
        />
      </div>
    </>
  );
}

/** Opens the reader's own mail program: the answer leaves from their mailbox. */
function replyHref(email: string, subject: string): string {
  const [local = '', host = ''] = email.split(/@(?=[^@]*$)/);
  const address = `${encodeURIComponent(local)}@${encodeURIComponent(host)}`;
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subject}`)}`;
}
