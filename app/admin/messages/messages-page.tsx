import type { Route } from './+types/messages-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type ContactMessage,
  countMessageViews,
  listContactMessages,
} from '#app/features/contact/contact-queries.server.ts';
import { type ContactSort, contactTable } from '#app/features/contact/contact-table.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readList } from '../frame/read-list.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import type { RowAct } from '../frame/row-acts.tsx';
import { RowName } from '../frame/row-name.tsx';
import { titled } from '../frame/titled.ts';
import { MessagePills } from './message-pills.tsx';
import { actOnMessages } from './act-on-messages.server.ts';
import styles from './messages-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  const { id } = requireRight(context, 'contact.manage');
  return readList(request, context, {
    spec: contactTable,
    what: 'messages',
    page: (db, query) => listContactMessages(db, query, id),
    figures: async (db) => ({ counts: await countMessageViews(db, id), viewerId: id }),
  });
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'contact.manage');
  return actOnMessages(request, context);
}

export const meta = titled('Messages');

const verbs = [
  { value: 'take', label: 'Assign messages to me' },
  { value: 'close', label: 'Close messages' },
  { value: 'reopen', label: 'Reopen messages' },
  { value: 'read', label: 'Mark messages as read' },
  { value: 'unread', label: 'Mark messages as unread' },
  { value: 'delete', label: 'Delete messages', question: 'Are you sure you want to delete {n}?' },
];

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Messages" failure={loaderData} />;
  const { figures, now } = loaderData;
  const { viewerId } = figures;
  const { open = 0, mine = 0, unread = 0, closed = 0, all = 0 } = figures.counts ?? {};
  const viewOf = (label: string, count: number, state = '') => ({
    label: `${label} (${count.toLocaleString('en-US')})`,
    href: state ? `${contactTable.path}?state=${state}` : contactTable.path,
  });
  return (
    <ListScreen
      title="Messages"
      about={
        unread === 0
          ? 'All messages from the contact form have been read.'
          : `${unread.toLocaleString('en-US')} unread from the contact form.`
      }
      spec={contactTable}
      list={loaderData}
      noun={{ one: 'message', many: 'messages' }}
      nameOf={({ subject }) => subject}
      searchLabel="Search by sender, subject or text"
      views={[
        viewOf('Open', open),
        viewOf('Mine', mine, 'mine'),
        viewOf('Unread', unread, 'unread'),
        viewOf('Read', all - unread, 'read'),
        viewOf('Closed', closed, 'closed'),
        viewOf('All', all, 'all'),
      ]}
      columns={columnsAt(now)}
      actsOf={(row) => actsOf(row, viewerId)}
      bulk={{ verbs }}
      empty={{
        icon: 'mail',
        title: 'No messages found',
        hint: 'Messages from the contact form appear here.',
      }}
    />
  );
}

function actsOf(message: ContactMessage, viewerId: string): (RowAct | null)[] {
  const { is_read, subject, closed_at, assigned_to } = message;
  const verb = is_read ? 'unread' : 'read';
  const detail = <p>“{subject}” cannot be restored.</p>;
  return [
    { label: 'Answer', to: `/admin/messages/${message.id}`, isOver: true, isEdit: true },
    assigned_to === viewerId ? null : { label: 'Assign to me', intent: 'take' },
    closed_at ? { label: 'Reopen', intent: 'reopen' } : { label: 'Close', intent: 'close' },
    { label: `Mark as ${verb}`, intent: verb },
    { label: 'Delete', intent: 'delete', ask: { question: inboxMessages.confirmDelete, detail } },
  ];
}

function columnsAt(now: Date): Column<ContactMessage, ContactSort>[] {
  return [
    {
      label: 'Message',
      cell: (row) => (
        <RowName href={`/admin/messages/${row.id}`} name={row.subject} note={row.message}>
          <MessagePills message={row} />
        </RowName>
      ),
    },
    {
      label: 'From',
      cell: (row) => (
        <span className={`stack anywhere ${styles.sender}`}>
          {row.name}
          <span>{row.email}</span>
        </span>
      ),
    },
    {
      label: 'Assigned to',
      cell: (row) => row.assigneeName || row.assignee || 'No one',
    },
    {
      label: 'Received',
      sort: 'received',
      cell: (row) => (
        <span className="nowrap">
          <RelativeTime at={row.created_at} now={now} />
        </span>
      ),
    },
  ];
}
