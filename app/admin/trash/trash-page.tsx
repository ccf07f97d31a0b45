import type { Column } from '#app/admin/frame/data-table.tsx';
import { hasOneOf } from '#app/admin/frame/admin-nav.ts';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readList } from '#app/admin/frame/read-list.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { kindsFor, trashKindOf, trashRights } from '#app/features/desk/trash-kinds.ts';
import { describeInside, trashMessages } from '#app/features/desk/trash-messages.ts';
import { countTrash, listTrash, type TrashRow } from '#app/features/desk/trash-queries.server.ts';
import { type TrashSort, trashTable } from '#app/features/desk/trash-table.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { daysInTrash } from '#app/platform/trash/days-in-trash.ts';
import type { Route } from './+types/trash-page';
import { actOnTrash } from './act-on-trash.server.ts';

/** Refuses users who may restore nothing. */
function refuseWithoutKinds(context: Route.LoaderArgs['context'], { rights }: SessionUser) {
  if (!hasOneOf(rights, trashRights)) requireRight(context, 'catalog.write');
}

export function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'admin.open');
  refuseWithoutKinds(context, user);
  const kinds = kindsFor(user.rights);
  return readList(request, context, {
    spec: trashTable,
    what: 'trash',
    page: (db, query) => listTrash(db, query, kinds),
    figures: (db) => countTrash(db, kinds),
  });
}

export function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'admin.open');
  refuseWithoutKinds(context, user);
  return actOnTrash(request, context, user);
}

export const meta = titled('Trash');

const named = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const day = 86_400_000;

export default function TrashPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Trash" failure={loaderData} />;
  const kinds = loaderData.figures.map(({ kind, count }) => ({
    value: kind,
    label: named(trashKindOf(kind).many),
    count,
  }));
  return (
    <ListScreen
      title="Trash"
      about={`Deleted items stay here for ${daysInTrash} days. A restored page gets its old address back unless another page uses it.`}
      spec={trashTable}
      list={loaderData}
      noun={{ one: 'item', many: 'items' }}
      nameOf={({ name }) => name}
      stats={kinds.map(({ value, label, count }) => ({
        label,
        value: count,
        href: `${trashTable.path}?kind=${value}`,
      }))}
      searchLabel="Search by name"
      filters={[
        {
          name: 'kind',
          label: 'Kind',
          options: kinds.map(({ value, label }) => ({ value, label })),
        },
      ]}
      columns={columnsAt(loaderData.now)}
      actsOf={actsOf}
      bulk={{
        verbs: [
          { value: 'restore', label: 'Restore' },
          {
            value: 'purge',
            label: 'Delete for good',
            question: 'Delete {n} for good?',
            detail: 'This cannot be undone.',
          },
        ],
      }}
      empty={{
        icon: 'info',
        title: 'Nothing found in the trash',
        titleWhenNew: 'The trash is empty',
        hint: `Deleted deals, merchants, categories, coupons, posts and more appear here for ${daysInTrash} days.`,
      }}
    />
  );
}

function columnsAt(now: Date): Column<TrashRow, TrashSort>[] {
  return [
    {
      label: 'Name',
      sort: 'name',
      cell: ({ name }) => <span className="anywhere">{name}</span>,
    },
    { label: 'Kind', cell: ({ entity }) => named(trashKindOf(entity).one) },
    { label: 'Deleted by', cell: ({ by }) => by },
    {
      label: 'Deleted',
      sort: 'deleted',
      cell: ({ deleted_at: at }) => <RelativeTime at={at} now={now} />,
    },
    { label: 'Also restores', cell: ({ inside }) => describeInside(inside) || 'Nothing else' },
    { label: 'Kept for', cell: ({ deleted_at: at }) => daysLeft(at, now) },
  ];
}

function daysLeft(at: Date, now: Date): string {
  const left = daysInTrash - (now.getTime() - at.getTime()) / day;
  return left < 1 ? 'Less than a day' : countNoun(Math.round(left), 'day');
}

function actsOf({ name, entity, together }: TrashRow): (RowAct | null)[] {
  const detail = (
    <>
      <p>{name}</p>
      <p className="above-2">This cannot be undone.</p>
    </>
  );
  return [
    { label: 'Restore', intent: 'restore' },
    together > 1 && entity === 'deal'
      ? {
          label: `Restore the whole deletion (${countNoun(together, 'deal')})`,
          intent: 'restore-deletion',
        }
      : null,
    {
      label: 'Delete for good',
      intent: 'purge',
      ask: { question: trashMessages.purgeQuestion, detail },
    },
  ];
}
