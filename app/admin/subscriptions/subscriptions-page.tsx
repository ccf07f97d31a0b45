import type { Route } from './+types/subscriptions-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { changeSubscriptions } from '#app/features/newsletter/change-subscriptions.server.ts';
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
import { suspensionTable } from '#app/platform/mail/suspension-table.ts';
import { Link } from '#app/ui/link.tsx';
import { actOnRows } from '../frame/act-on-rows.server.ts';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import type { RowAct } from '../frame/row-acts.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return readList(request, context, {
    spec: subscriptionTable,
    what: 'subscriptions',
    page: listSubscriptionRows,
    figures: countSubscriptionFigures,
  });
}

/** Handles every action of the list except reactivating, which has its own form. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'newsletter.manage');
  const { deactivated, updateFailed, deleted, deleteFailed } = subscriptionMessages;
  return actOnRows(request, context, {
    spec: subscriptionTable,
    verbs: [
      { verb: 'deactivate', done: deactivated, failed: updateFailed },
      { verb: 'delete', done: deleted, failed: deleteFailed },
    ],
    change: changeSubscriptions,
    words: subscriptionMessages,
  });
}

const title = 'Newsletter Subscriptions';
export const meta = titled(title);

const verbs = [
  { value: 'deactivate', label: 'Deactivate subscriptions' },
  {
    value: 'delete',
    label: 'Delete subscriptions',
    question: 'Are you sure you want to delete {n}?',
  },
];
const statuses = optionsOf({
  active: 'Active only',
  unsubscribed: 'Unsubscribed only',
  waiting: 'Not confirmed yet',
});
const viewOf = (status: string) => `${subscriptionTable.path}?status=${status}`;

export default function SubscriptionsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title={title} failure={loaderData} />;
  const { total, active, unsubscribed, activeRate } = loaderData.figures;
  return (
    <ListScreen
      title={title}
      spec={subscriptionTable}
      list={loaderData}
      noun={{ one: 'subscription', many: 'subscriptions' }}
      nameOf={({ email }) => email}
      begin={{ to: '/admin/subscriptions/add', label: 'Add subscriber' }}
      exportTo={{ to: '/admin/subscriptions/export' }}
      stats={[
        { label: 'Total Subscribers', value: total, href: subscriptionTable.path },
        { label: 'Active', value: active, href: viewOf('active') },
        { label: 'Unsubscribed', value: unsubscribed, href: viewOf('unsubscribed') },
        { label: 'Active Rate', value: `${activeRate}%` },
      ]}
      searchLabel="Search by email"
      filters={[{ name: 'status', label: 'Status', options: statuses }]}
      columns={columnsAt(loaderData.now)}
      actsOf={actsOf}
      bulk={{ verbs }}
      empty={{
        icon: 'mail',
        title: 'No subscriptions found',
        hint: 'New subscribers appear here.',
      }}
    />
  );
}

function SubscriptionState({ row }: { row: SubscriptionRow }) {
  if (row.is_active && row.is_suspended) {
    return (
      <Link to={`${suspensionTable.path}?q=${encodeURIComponent(row.email)}`}>
        <StatusPill variant="bad">Suspended</StatusPill>
      </Link>
    );
  }
  if (row.is_active) return <StatusPill variant="good">Active</StatusPill>;
  return row.unsubscribed_at ? (
    <StatusPill variant="plain">Inactive</StatusPill>
  ) : (
    <StatusPill variant="warn">Not confirmed yet</StatusPill>
  );
}

function actsOf({ id, email, is_active }: SubscriptionRow): RowAct[] {
  const question = subscriptionMessages.confirmDelete;
  const detail = <p>{email} can subscribe again at any time. You cannot undo this.</p>;
  const reactivate = `/admin/subscriptions/${id}/reactivate`;
  return [
    is_active
      ? { label: 'Unsubscribe', intent: 'deactivate' }
      : { label: 'Reactivate', to: reactivate, isOver: true, isEdit: true },
    { label: 'Delete', intent: 'delete', ask: { question, detail } },
  ];
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
      cell: (row) => <RelativeTime at={row.unsubscribed_at} now={now} />,
    },
  ];
}
