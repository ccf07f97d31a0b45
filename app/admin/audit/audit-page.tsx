import { Link } from 'react-router';
import type { Route } from './+types/audit-page';
import {
  type AuditPage as AuditEntries,
  type AuditPlace,
  type AuditRow,
  listAuditChoices,
  listAuditRows,
} from '#app/platform/audit/audit-queries.server.ts';
import { type AuditQuery, auditTable } from '#app/platform/audit/audit-table.ts';
import {
  listPeople,
  type Person,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { isFiltered, parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { TableFilters } from '../frame/table-filters.tsx';
import { AuditActor } from './audit-actor.tsx';
import { AuditChange } from './audit-change.tsx';
import styles from './audit-page.module.css';
import { describeChange } from './describe-change.ts';
import { entityHref } from './entity-href.ts';
import { nameActor } from './name-actor.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'audit.read');
  const { db, now } = appServices(context);
  const { searchParams } = new URL(request.url);
  const query = parseTableQuery(auditTable, searchParams);
  return readOrSay(context, 'audit log', async () => {
    const { timeZone } = await readSiteSettings(db);
    const [page, choices] = await Promise.all([
      listAuditRows(db, { query, timeZone, place: placeOf(searchParams) }),
      listAuditChoices(db),
    ]);
    const actors = new Set([...choices.actors, ...page.rows.map(({ actor }) => actor)]);
    const people = await listPeople(db, [...actors]);
    return { query, page, choices, people, now: now() };
  });
}

function placeOf(params: URLSearchParams): AuditPlace {
  const [olderThan, newerThan] = [parseRowId(params.get('older')), parseRowId(params.get('newer'))];
  if (olderThan !== null) return { olderThan };
  return newerThan === null ? null : { newerThan };
}

export function meta() {
  return [{ title: 'Audit log' }];
}

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Audit log" failure={loaderData} />;
  const { query, page, choices, now } = loaderData;
  const { rows } = page;
  const people = new Map(loaderData.people.map((person) => [person.id, person]));
  const option = (value: string) => ({ value, label: value });
  return (
    <>
      <AdminHeading title="Audit log">
        Who did what, newest first. Entries are only ever added.
      </AdminHeading>
      <TableFilters
        spec={auditTable}
        query={query}
        searchLabel="Search what was done"
        filters={[
          {
            name: 'actor',
            label: 'Who',
            options: choices.actors.map((id) => ({
              value: id,
              label: people.get(id)?.email ?? nameActor(id),
            })),
          },
          { name: 'action', label: 'Action', options: choices.actions.map(option) },
          { name: 'entity', label: 'On', options: choices.entities.map(option) },
        ]}
        dates={[
          { name: 'from', label: 'From' },
          { name: 'to', label: 'To' },
        ]}
      />
      <DataTable
        noun={{ one: 'entry', many: 'entries' }}
        spec={auditTable}
        query={query}
        page={{ rows, total: rows.length, page: 1, pageCount: 1 }}
        columns={columnsAt(now, people)}
        idOf={(row) => row.id}
        nameOf={(row) => row.action}
        empty={
          <EmptyTable
            icon="clock"
            title="No entries found"
            isFiltered={isFiltered(query)}
            path={auditTable.path}
            hint="What staff do in the back office appears here."
          />
        }
      />
      <AuditPager query={query} page={page} />
    </>
  );
}

function columnsAt(now: Date, people: ReadonlyMap<string, Person>): Column<AuditRow, 'when'>[] {
  return [
    { label: 'Who', cell: (row) => <AuditActor id={row.actor} person={people.get(row.actor)} /> },
    { label: 'Action', cell: (row) => <Link to={actionHref(row)}>{row.action}</Link> },
    { label: 'On', cell: (row) => <AuditEntity row={row} /> },
    {
      label: 'Change',
      cell: (row) => <AuditChange changes={describeChange(row.before, row.after)} />,
    },
    { label: 'When', cell: (row) => <RelativeTime at={row.at} now={now} /> },
  ];
}

function actionHref({ action }: AuditRow): string {
  return `${auditTable.path}?action=${encodeURIComponent(action)}`;
}

function AuditEntity({ row: { entity, entity_id } }: { row: AuditRow }) {
  const href = entityHref(entity, entity_id);
  const words = entity_id === null ? entity : `${entity} ${entity_id.slice(0, 12)}`;
  return href === null ? words : <a href={href}>{words}</a>;
}

/** By the entries at the ends of a page: a number would have to be counted for. */
function AuditPager({ query, page }: { query: AuditQuery; page: AuditEntries }) {
  const here = tableHref(auditTable, query, { page: 1 });
  const hrefOf = (name: string, id: number) =>
    `${here}${here.includes('?') ? '&' : '?'}${name}=${id}`;
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  if (!page.hasNewer && !page.hasOlder) return null;
  return (
    <nav aria-label="Pages of entries" className={styles.pages}>
      {page.hasNewer ? (
        <Link to={first ? hrefOf('newer', first.id) : here} rel="prev" className={buttonClass()}>
          Newer
        </Link>
      ) : null}
      {page.hasOlder && last ? (
        <Link to={hrefOf('older', last.id)} rel="next" className={buttonClass()}>
          Older
        </Link>
      ) : null}
    </nav>
  );
}
