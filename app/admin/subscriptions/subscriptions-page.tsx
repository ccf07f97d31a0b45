import { Form, Link, Outlet } from 'react-router';
import type { Route } from './+types/subscriptions-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { subscriptionMessages } from '#app/features/newsletter/subscription-messages.ts';
import {
  countSubscriptionFigures,
  listSubscriptionRows,
  type SubscriptionRow,
} from '#app/features/newsletter/subscription-table-queries.server.ts';
import {
  type SubscriptionSort,
  subscriptionTable,
} from '#app/features/newsletter/subscription-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '../frame/row-menu.tsx';
import { StatCards } from '../frame/stat-cards.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { TableFilters } from '../frame/table-filters.tsx';
import { actOnSubscriptions } from './act-on-subscriptions.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db, now } = appServices(context);
  const { search, searchParams } = new URL(request.url);
  const query = parseTableQuery(subscriptionTable, searchParams);
  return readOrSay(context, 'subscriptions', async () => {
    const [page, figures] = await Promise.all([
      listSubscriptionRows(db, query),
      countSubscriptionFigures(db),
    ]);
    return { query, page, figures, search, now: now() };
  });
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  return actOnSubscriptions(request, context, actor);
}

export function meta() {
  return [{ title: 'Newsletter Subscriptions' }];
}

function columnsAt(now: Date): Column<SubscriptionRow, SubscriptionSort>[] {
  return [
    { label: 'Email', sort: 'email', cell: (row) => row.email },
    { label: 'Status', cell: (row) => <SubscriptionState row={row} /> },
    {
      label: 'Subscribed',
      sort: 'subscribed',
      cell: (row) => <RelativeTime at={row.subscribed_at} now={now} />,
    },
    {
      label: 'Unsubscribed',
      sort: 'unsubscribed',
      cell: (row) =>
        row.unsubscribed_at ? <RelativeTime at={row.unsubscribed_at} now={now} /> : '-',
    },
  ];
}

const bulkVerbs = [
  { value: 'deactivate', label: 'Deactivate subscriptions' },
  {
    value: 'delete',
    label: 'Delete subscriptions',
    question: 'Are you sure you want to delete {n}?',
  },
];
const viewOf = (status: string) => `${subscriptionTable.path}?status=${status}`;

export default function SubscriptionsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Newsletter Subscriptions" failure={loaderData} />;
  const { query, page, figures, search, now } = loaderData;
  return (
    <>
      <Outlet />
      <AdminHeading
        title="Newsletter Subscriptions"
        more={
          <Link
            to={`/admin/subscriptions/export${search}`}
            preventScrollReset
            className={buttonClass()}
          >
            Export CSV
          </Link>
        }
      />
      <StatCards
        stats={[
          { label: 'Total Subscribers', value: figures.total, href: subscriptionTable.path },
          { label: 'Active', value: figures.active, href: viewOf('active') },
          { label: 'Unsubscribed', value: figures.unsubscribed, href: viewOf('unsubscribed') },
          { label: 'Active Rate', value: `${figures.activeRate}%` },
        ]}
      />
      <TableFilters
        spec={subscriptionTable}
        query={query}
        searchLabel="Search by email"
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: [
              { value: 'active', label: 'Active only' },
              { value: 'unsubscribed', label: 'Unsubscribed only' },
              { value: 'waiting', label: 'Not confirmed yet' },
            ],
          },
        ]}
      />
      <DataTable
        noun={{ one: 'subscription', many: 'subscriptions' }}
        spec={subscriptionTable}
        query={query}
        page={page}
        columns={columnsAt(now)}
        idOf={(row) => row.id}
        nameOf={(row) => row.email}
        renderMenu={(row) => <SubscriptionMenu row={row} search={search} />}
        bulk={{ verbs: bulkVerbs }}
        empty={
          <EmptyTable
            icon="mail"
            title="No subscriptions found"
            isFiltered={isFiltered(query)}
            path={subscriptionTable.path}
            hint="Whoever subscribes to the newsletter appears here."
          />
        }
      />
    </>
  );
}

function SubscriptionState({ row }: { row: SubscriptionRow }) {
  if (row.is_active) return <StatusPill look="good">Active</StatusPill>;
  return row.unsubscribed_at ? (
    <StatusPill look="plain">Inactive</StatusPill>
  ) : (
    <StatusPill look="warn">Not confirmed yet</StatusPill>
  );
}

function SubscriptionMenu({ row, search }: { row: SubscriptionRow; search: string }) {
  return (
    <RowMenu label={row.email}>
      {row.is_active ? (
        <Form method="post">
          <input type="hidden" name="intent" value="deactivate" />
          <input type="hidden" name="id" value={row.id} />
          <button type="submit" className={menuItemClass}>
            Unsubscribe
          </button>
        </Form>
      ) : (
        <Link
          to={`/admin/subscriptions/${row.id}/reactivate${search}`}
          data-key-edit
          preventScrollReset
          className={menuItemClass}
        >
          Reactivate
        </Link>
      )}
      <ConfirmAct
        label="Delete"
        className={menuItemClass}
        question={subscriptionMessages.confirmDelete}
        detail={<p>{row.email} can subscribe again at any time. This cannot be undone.</p>}
        confirmLabel="Delete"
        fields={{ intent: 'delete', id: String(row.id) }}
      />
    </RowMenu>
  );
}
