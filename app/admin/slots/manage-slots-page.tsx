import type { Column } from '#app/admin/frame/data-table.tsx';
import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { type Earned, earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { ClicksCell } from '#app/features/earnings/clicks-cell.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { slotPlaces } from '#app/features/slots/slot-kinds.ts';
import { slotMessages } from '#app/features/slots/slot-messages.ts';
import {
  countSlotFigures,
  listSlotRows,
  type SlotRow,
} from '#app/features/slots/slot-table-queries.server.ts';
import { type SlotSort, slotTable } from '#app/features/slots/slot-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { shortTime } from '#app/platform/time-words.ts';
import type { Route } from './+types/manage-slots-page';
import { slotEditor } from './slot-editor.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'settings.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: slotTable,
    what: 'slots',
    page: async (db, query) => {
      const page = await listSlotRows(db, query);
      const ids = rights.has('earnings.read') ? page.rows.map(({ id }) => id) : [];
      const earned = await earningsOf(db, 'slot', ids, { days: 30, now: now() });
      return { ...page, rows: page.rows.map((row) => ({ ...row, earned: earned.get(row.id) })) };
    },
    figures: countSlotFigures,
  });
}

/** Deletes an ad, or restores the deleted one. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'settings.write');
  return deleteOrRestoreRow(request, context, slotEditor);
}

export const meta = titled('Ads and announcements');

const states = { live: 'Live', scheduled: 'Scheduled', ended: 'Ended', off: 'Off' } as const;
const looks = { live: 'good', scheduled: 'warn', ended: 'plain', off: 'plain' } as const;

const columns: Column<SlotRow & { earned: Earned[] | undefined }, SlotSort>[] = [
  {
    label: 'Title',
    sort: 'title',
    cell: ({ id, title, kind }) => (
      <RowName
        href={`/admin/slots/${id}/edit`}
        name={title}
        note={kind === 'ad' ? 'Ad' : 'Announcement'}
      />
    ),
  },
  {
    label: 'Status',
    cell: ({ state }) => <StatusPill variant={looks[state]}>{states[state]}</StatusPill>,
  },
  {
    label: 'Place',
    cell: ({ place, category }) =>
      category === null ? slotPlaces[place] : `${slotPlaces[place]}: ${category}`,
  },
  { label: 'Starts', cell: ({ starts_at: at }) => <Time at={at} otherwise="Immediately" /> },
  { label: 'Ends', sort: 'ends', cell: ({ ends_at: at }) => <Time at={at} otherwise="No end" /> },
  {
    label: 'Views, 30 days',
    sort: 'views',
    isNumber: true,
    cell: ({ views }) => views.toLocaleString('en-US'),
  },
  {
    label: 'Clicks, 30 days',
    sort: 'clicks',
    isNumber: true,
    cell: ({ clicks, earned }) => <ClicksCell clicks={clicks} earned={earned} />,
  },
];

function Time({ at, otherwise }: { at: Date | null; otherwise: string }) {
  const { timeZone } = useSite();
  return at ? shortTime(at, timeZone) : otherwise;
}

export default function ManageSlotsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Ads and announcements" failure={loaderData} />;
  const { total, live, scheduled } = loaderData.figures;
  return (
    <ListScreen
      title="Ads and announcements"
      about="Your own ads and announcements, without foreign scripts. Visitors are counted once in half an hour, and bots are not."
      spec={slotTable}
      list={loaderData}
      noun={{ one: 'ad', many: 'ads' }}
      nameOf={({ title }) => title}
      begin={{ to: '/admin/slots/new', label: 'New Ad' }}
      stats={[
        { label: 'Total Ads', value: total, href: slotTable.path },
        { label: 'Live', value: live, href: `${slotTable.path}?show=live` },
        { label: 'Scheduled', value: scheduled, href: `${slotTable.path}?show=scheduled` },
      ]}
      searchLabel="Search by title or text"
      filters={[
        { name: 'show', label: 'Show', options: optionsOf(states) },
        { name: 'place', label: 'Place', options: optionsOf(slotPlaces) },
      ]}
      columns={columns}
      actsOf={actsOf}
      empty={{
        icon: 'tag',
        title: 'No ads found',
        hint: 'Your ad or announcement appears in its place on the site.',
      }}
    />
  );
}

function actsOf({ id, title, kind }: SlotRow): RowAct[] {
  const detail = <DeletionDetail name={title} />;
  return [
    { label: 'Edit', to: `/admin/slots/${id}/edit`, isOver: true, isEdit: true },
    {
      label: 'Delete',
      intent: 'delete',
      ask: { question: slotMessages.confirmDelete[kind], detail },
    },
  ];
}
