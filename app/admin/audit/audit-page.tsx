import type { Route } from './+types/audit-page';
import {
  type AuditPage as AuditEntries,
  type AuditPlace,
  type AuditRow,
  listAuditChoices,
  listAuditRows,
} from '#app/platform/audit/audit-queries.server.ts';
import { type AuditQuery, auditTable } from '#app/platform/audit/audit-table.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { type Names, nameThings } from '#app/features/desk/name-things.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import type { RowAct } from '../frame/row-acts.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { titled } from '../frame/titled.ts';
import styles from './audit-page.module.css';
import { AuditSentence, nameActor } from './audit-sentence.tsx';
import { nameAct, nameKind } from './audit-words.ts';
import { thingsOf } from './describe-entry.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'audit.read');
  const { db, now } = appServices(context);
  const { searchParams } = new URL(request.url);
  const query = parseTableQuery(auditTable, searchParams);
  return readOrFail(context, 'audit log', async () => {
    const { timeZone } = await readSiteSettings(db);
    const [page, choices] = await Promise.all([
      listAuditRows(db, { query, timeZone, place: placeOf(searchParams) }),
      listAuditChoices(db),
    ]);
    const { entity, id } = query.filters;
    const present = await nameThings(db, [
      ...[...choices.actors, ...page.rows.map(({ actor }) => actor)].map(
        (actor) => ['user', actor] as const,
      ),
      ...page.rows.flatMap(thingsOf),
      ...(entity === null || id === null ? [] : [[entity, id] as const]),
    ]);
    return { query, page, choices, present, timeZone, now: now() };
  });
}

function placeOf(params: URLSearchParams): AuditPlace {
  const [olderThan, newerThan] = [parseRowId(params.get('older')), parseRowId(params.get('newer'))];
  if (olderThan !== null) return { olderThan };
  return newerThan === null ? null : { newerThan };
}

export const meta = titled('Audit log');

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Audit log" failure={loaderData} />;
  const { query, page, choices, present, timeZone } = loaderData;
  const { rows } = page;
  const optionsBy = (values: readonly string[], name: (value: string) => string) =>
    values.map((value) => ({ value, label: name(value) }));
  return (
    <ListScreen
      title="Audit log"
      about="Who did what, newest first. Entries are only ever added."
      spec={auditTable}
      list={{ query, page: { rows, total: rows.length, page: 1, pageCount: 1 } }}
      noun={{ one: 'entry', many: 'entries' }}
      nameOf={({ action }) => nameAct(action)}
      searchLabel="Search by name or action"
      filters={[
        {
          name: 'actor',
          label: 'Who',
          allLabel: 'Everyone',
          options: optionsBy(choices.actors, (actor) => nameActor(actor, present)),
        },
        { name: 'action', label: 'Action', options: optionsBy(choices.actions, nameAct) },
        {
          name: 'entity',
          label: 'On',
          options: optionsBy(choices.entities, (kind) => nameKind(kind)),
        },
      ]}
      dates={[
        { name: 'from', label: 'From' },
        { name: 'to', label: 'To' },
      ]}
      note={<OnlyOne query={query} rows={rows} present={present} />}
      columns={columnsOf(loaderData)}
      actsOf={(row) => actsOf(row, timeZone)}
      empty={{
        icon: 'clock',
        title: 'No entries found',
        hint: 'Actions of staff in the admin appear here.',
      }}
    >
      <AuditPager query={query} page={page} />
    </ListScreen>
  );
}

/** Names the row or person whose history this is, with a link to the full log. */
function OnlyOne({
  query,
  rows,
  present,
}: {
  query: AuditQuery;
  rows: AuditRow[];
  present: Names;
}) {
  const { entity, id } = query.filters;
  if (id === null) return null;
  const kind = entity ?? 'thing';
  const kept = rows.find(({ names }) => names?.[kind]?.[id])?.names?.[kind]?.[id];
  const all = tableHref(auditTable, query, { filters: { ...query.filters, id: null }, page: 1 });
  return (
    <p className={styles.only}>
      Only changes to <em>{present[kind]?.[id] ?? kept ?? `${nameKind(kind)} ${id}`}</em>.{' '}
      <Link to={all}>Show all</Link>
    </p>
  );
}

/** Links to related entries. */
function actsOf({ actor, entity, entity_id, at }: AuditRow, timeZone: string): RowAct[] {
  const day = toWallClock(at, timeZone).slice(0, 10);
  const to = (search: Record<string, string>) =>
    `${auditTable.path}?${new URLSearchParams(search).toString()}`;
  const history = {
    label: `Everything on this ${nameKind(entity)}`,
    to: to({ entity, id: entity_id ?? '' }),
  };
  return [
    ...(entity_id === null ? [] : [history]),
    { label: 'Everything by this person', to: to({ actor }) },
    { label: 'Everything on this day', to: to({ from: day, to: day }) },
  ];
}

/** Paginates by the first and last entry of a page, since page numbers would need a count. */
function AuditPager({ query, page }: { query: AuditQuery; page: AuditEntries }) {
  const here = tableHref(auditTable, query, { page: 1 });
  const hrefOf = (name: string, id: number) =>
    `${here}${here.includes('?') ? '&' : '?'}${name}=${id}`;
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  if (!page.hasNewer && !page.hasOlder) return null;
  return (
    <nav aria-label="Pages of entries" className={styles.pages}>
      {page.hasNewer ? (
        <ButtonLink to={first ? hrefOf('newer', first.id) : here} rel="prev">
          Newer
        </ButtonLink>
      ) : null}
      {page.hasOlder && last ? (
        <ButtonLink to={hrefOf('older', last.id)} rel="next">
          Older
        </ButtonLink>
      ) : null}
    </nav>
  );
}

function columnsOf({
  present,
  now,
  timeZone,
}: {
  present: Names;
  now: Date;
  timeZone: string;
}): Column<AuditRow, 'when'>[] {
  return [
    { label: 'What happened', cell: (row) => <AuditSentence row={row} present={present} /> },
    {
      label: 'When',
      cell: ({ at }) => (
        <span className={styles.when}>
          <RelativeTime at={at} now={now} />
          <span className="small">{fullTime(at, timeZone)}</span>
        </span>
      ),
    },
  ];
}
