import { Link, Outlet } from 'react-router';
import type { Route } from './+types/manage-users-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { userMessages } from '#app/features/accounts/people/user-messages.ts';
import {
  countUserFigures,
  listUserRows,
  type UserRow,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import {
  roleNames,
  roles,
  type UserSort,
  userTable,
} from '#app/features/accounts/people/user-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '../frame/row-menu.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatCards } from '../frame/stat-cards.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { TableFilters } from '../frame/table-filters.tsx';
import { RoleBadge } from './role-badge.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const { db, now } = appServices(context);
  const { search, searchParams } = new URL(request.url);
  const query = parseTableQuery(userTable, searchParams);
  const mayChange = viewer.rights.has('users.change-role') && viewer.rights.has('users.delete');
  return readOrSay(context, 'users', async () => {
    const [page, figures] = await Promise.all([listUserRows(db, query), countUserFigures(db)]);
    return { query, page, figures, search, now: now(), viewerId: viewer.id, mayChange };
  });
}

export function meta() {
  return [{ title: 'Users' }];
}

const viewOf = (role: string) => `${userTable.path}?role=${role}`;
const nameOf = (row: UserRow) => row.full_name || 'No name';

export default function ManageUsersPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Users" failure={loaderData} />;
  const { query, page, figures, search, now, viewerId, mayChange } = loaderData;
  return (
    <>
      <Outlet />
      <AdminHeading title="Users">{mayChange ? null : userMessages.readOnly}</AdminHeading>
      <StatCards
        stats={[
          { label: 'Total Users', value: figures.total, href: userTable.path },
          { label: 'Super Admins', value: figures.superAdmins, href: viewOf('super_admin') },
          { label: 'Admins', value: figures.admins, href: viewOf('admin') },
          { label: 'Regular Users', value: figures.users, href: viewOf('user') },
        ]}
      />
      <TableFilters
        spec={userTable}
        query={query}
        searchLabel="Search by email or full name"
        filters={[
          {
            name: 'role',
            label: 'Role',
            options: roles.map((role) => ({ value: role, label: roleNames[role] })),
          },
        ]}
      />
      <DataTable
        noun={{ one: 'user', many: 'users' }}
        spec={userTable}
        query={query}
        page={page}
        columns={columnsOf(now, viewerId)}
        idOf={(row) => row.id}
        nameOf={nameOf}
        renderMenu={(row) => (
          <UserMenu row={row} search={search} mayChange={mayChange && row.id !== viewerId} />
        )}
        empty={
          <EmptyTable
            icon="user"
            title="No users found"
            isFiltered={isFiltered(query)}
            path={userTable.path}
            hint="Whoever signs up appears here."
          />
        }
      />
    </>
  );
}

function columnsOf(now: Date, viewerId: string): Column<UserRow, UserSort>[] {
  return [
    {
      label: 'User',
      sort: 'name',
      cell: (row) => (
        <RowName href={`/admin/users/${row.id}`} name={nameOf(row)} note={row.email}>
          {row.id === viewerId ? <StatusPill look="plain">You</StatusPill> : null}
          {row.email_verified ? null : <StatusPill look="warn">Address not verified</StatusPill>}
          {row.two_factor_enabled ? <StatusPill look="good">Second step</StatusPill> : null}
          {row.passkeyCount > 0 ? <StatusPill look="good">Passkey</StatusPill> : null}
        </RowName>
      ),
    },
    { label: 'Role', sort: 'role', cell: (row) => <RoleBadge role={row.role} /> },
    {
      label: 'Joined',
      sort: 'joined',
      cell: (row) => <RelativeTime at={row.created_at} now={now} />,
    },
    {
      label: 'Last seen',
      cell: (row) => (row.lastSeenAt ? <RelativeTime at={row.lastSeenAt} now={now} /> : '-'),
    },
  ];
}

function UserMenu({
  row,
  search,
  mayChange,
}: {
  row: UserRow;
  search: string;
  mayChange: boolean;
}) {
  return (
    <RowMenu label={nameOf(row)}>
      <Link
        to={`/admin/users/${row.id}${search}`}
        data-key-edit
        preventScrollReset
        className={menuItemClass}
      >
        {mayChange ? 'Change role' : 'Details'}
      </Link>
      <Link to={`/admin/audit?actor=${row.id}`} className={menuItemClass}>
        What they did
      </Link>
      {mayChange ? (
        <Link
          to={`/admin/users/${row.id}/delete${search}`}
          preventScrollReset
          className={menuItemClass}
        >
          Delete
        </Link>
      ) : null}
    </RowMenu>
  );
}
