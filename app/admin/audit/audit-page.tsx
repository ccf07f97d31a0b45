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
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { titled } from '../frame/titled.ts';
import { AuditChange } from './audit-change.tsx';
import styles from './audit-page.module.css';
import { describeChange } from './describe-change.ts';
import { entityHref } from './entity-href.ts';

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

export const meta = titled('Audit log');

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Audit log" failure={loaderData} />;
  const { query, page, choices, now } = loaderData;
  const { rows } = page;
  const people = new Map(loaderData.people.map((person) => [person.id, person]));
  const option = (value: string) => ({ value, label: value });
  const actor = (id: string) => ({ value: id, label: people.get(id)?.email ?? nameActor(id) });
  return (
    <ListScreen
      title="Audit log"
      about="Who did what, newest first. Entries are only ever added."
      spec={auditTable}
      list={{ query, page: { rows, total: rows.length, page: 1, pageCount: 1 } }}
      noun={{ one: 'entry', many: 'entries' }}
      nameOf={({ action }) => action}
      searchLabel="Search what was done"
      filters={[
        { name: 'actor', label: 'Who', options: choices.actors.map(actor) },
        { name: 'action', label: 'Action', options: choices.actions.map(option) },
        { name: 'entity', label: 'On', options: choices.entities.map(option) },
      ]}
      dates={[
        { name: 'from', label: 'From' },
        { name: 'to', label: 'To' },
      ]}
      columns={columnsAt(now, people)}
      empty={{
        icon: 'clock',
        title: 'No entries found',
        hint: 'What staff do in the back office appears here.',
      }}
    >
      <AuditPager query={query} page={page} />
    </ListScreen>
  );
}

const machines: Record<string, string> = { cli: 'Command line', system: 'The site itself' };

/** An actor without an account: a machine, or the pseudonym that is left of somebody erased. */
function nameActor(actor: string): string {
  return machines[actor] ?? `Erased account ${actor.slice(0, 8)}`;
}

/** Who acted: the person while there is an account, else what is left of them. */
function AuditActor({ id, person }: { id: string; person: Person | undefined }) {
  if (!person) return nameActor(id);
  return (
    <span className={styles.actor}>
      <Link to={`/admin/users/${id}`}>{person.full_name || person.email}</Link>
      {person.full_name ? <span className={styles.note}>{person.email}</span> : null}
    </span>
  );
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

function columnsAt(now: Date, people: ReadonlyMap<string, Person>): Column<AuditRow, 'when'>[] {
  return [
    {
      label: 'Who',
      cell: (row) => <AuditActor id={row.actor} person={people.get(row.actor)} />,
    },
    {
      label: 'Action',
      cell: ({ action }) => (
        <Link to={`${auditTable.path}?action=${encodeURIComponent(action)}`}>{action}</Link>
      ),
    },
    { label: 'On', cell: (row) => <AuditEntity row={row} /> },
    {
      label: 'Change',
      cell: (row) => <AuditChange changes={describeChange(row.before, row.after)} />,
    },
    { label: 'When', cell: (row) => <RelativeTime at={row.at} now={now} /> },
  ];
}
