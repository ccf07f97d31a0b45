import type { Route } from './+types/messages-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type ContactMessage,
  countUnreadMessages,
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
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMessages } from './act-on-messages.server.ts';
import styles from './messages-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'contact.manage');
  return readList(request, context, {
    spec: contactTable,
    what: 'messages',
    page: listContactMessages,
    figures: countUnreadMessages,
  });
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'contact.manage');
  return actOnMessages(request, context);
}

export const meta = titled('Messages');

const verbs = [
  { value: 'read', label: 'Mark messages as read' },
  { value: 'unread', label: 'Mark messages as unread' },
  { value: 'delete', label: 'Delete messages', question: 'Are you sure you want to delete {n}?' },
];

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Messages" failure={loaderData} />;
  const { figures: unread, now } = loaderData;
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
        { label: 'All', href: contactTable.path },
        { label: 'Unread', href: `${contactTable.path}?state=unread` },
        { label: 'Read', href: `${contactTable.path}?state=read` },
      ]}
      columns={columnsAt(now)}
      actsOf={actsOf}
      bulk={{ verbs }}
      empty={{
        icon: 'mail',
        title: 'No messages found',
        hint: 'What visitors send by the contact form appears here.',
      }}
    />
  );
}

function actsOf({ is_read, subject }: ContactMessage): RowAct[] {
  const verb = is_read ? 'unread' : 'read';
  const detail = <p>“{subject}” cannot be brought back.</p>;
  return [
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
          {row.is_read ? null : <StatusPill look="warn">Unread</StatusPill>}
        </RowName>
      ),
    },
    {
      label: 'From',
      cell: (row) => (
        <span className={styles.sender}>
          {row.name}
          <span>{row.email}</span>
        </span>
      ),
    },
    {
      label: 'Received',
      sort: 'received',
      cell: (row) => <RelativeTime at={row.created_at} now={now} />,
    },
  ];
}
