import { Form } from 'react-router';
import type { Route } from './+types/messages-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type ContactMessage,
  countUnreadMessages,
  listContactMessages,
} from '#app/features/contact/contact-queries.server.ts';
import { type ContactSort, contactTable } from '#app/features/contact/contact-table.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '../frame/row-menu.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { TableFilters } from '../frame/table-filters.tsx';
import styles from './messages-page.module.css';
import { actOnMessages } from './act-on-messages.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'contact.manage');
  const { db, now } = appServices(context);
  const query = parseTableQuery(contactTable, new URL(request.url).searchParams);
  return readOrSay(context, 'messages', async () => {
    const [page, unread] = await Promise.all([
      listContactMessages(db, query),
      countUnreadMessages(db),
    ]);
    return { query, page, unread, now: now() };
  });
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'contact.manage').id;
  return actOnMessages(request, context, actor);
}

export function meta() {
  return [{ title: 'Messages' }];
}

const bulkVerbs = [
  { value: 'read', label: 'Mark messages as read' },
  { value: 'unread', label: 'Mark messages as unread' },
  { value: 'delete', label: 'Delete messages', question: 'Are you sure you want to delete {n}?' },
];

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Messages" failure={loaderData} />;
  const { query, page, unread, now } = loaderData;
  return (
    <>
      <AdminHeading title="Messages">
        {unread === 0
          ? 'Everything from the contact form is read.'
          : `${unread.toLocaleString('en-US')} unread from the contact form.`}
      </AdminHeading>
      <TableFilters
        spec={contactTable}
        query={query}
        searchLabel="Search by sender, subject or text"
        views={[
          { label: 'All', href: contactTable.path },
          { label: 'Unread', href: `${contactTable.path}?state=unread` },
          { label: 'Read', href: `${contactTable.path}?state=read` },
        ]}
      />
      <DataTable
        noun={{ one: 'message', many: 'messages' }}
        spec={contactTable}
        query={query}
        page={page}
        columns={columnsAt(now)}
        idOf={(row) => row.id}
        nameOf={(row) => row.subject}
        renderMenu={(row) => <MessageMenu row={row} />}
        bulk={{ verbs: bulkVerbs }}
        empty={
          <EmptyTable
            icon="mail"
            title="No messages found"
            isFiltered={isFiltered(query)}
            path={contactTable.path}
            hint="What visitors send by the contact form appears here."
          />
        }
      />
    </>
  );
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

function MessageMenu({ row }: { row: ContactMessage }) {
  const verb = row.is_read ? 'unread' : 'read';
  return (
    <RowMenu label={row.subject}>
      <Form method="post">
        <input type="hidden" name="intent" value={verb} />
        <input type="hidden" name="id" value={row.id} />
        <button type="submit" className={menuItemClass}>{`Mark as ${verb}`}</button>
      </Form>
      <ConfirmAct
        label="Delete"
        className={menuItemClass}
        question={inboxMessages.confirmDelete}
        detail={<p>“{row.subject}” cannot be brought back.</p>}
        confirmLabel="Delete"
        fields={{ intent: 'delete', id: String(row.id) }}
      />
    </RowMenu>
  );
}
