import type { Route } from './+types/manage-users-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listOpenInvitations } from '#app/features/accounts/people/invite-staff.server.ts';
import { userMessages } from '#app/features/accounts/people/user-messages.ts';
import {
  countUserFigures,
  listUserRows,
  type UserRow,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { roleFilter, type UserSort, userTable } from '#app/features/accounts/people/user-table.ts';
import { isFiltered } from '#app/platform/table-query.ts';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { actOnInvitations } from './act-on-invitations.server.ts';
import { OpenInvitations } from './open-invitations.tsx';
import { RoleBadge } from './user-dialog.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  const { id, rights } = requireRight(context, 'users.read');
  const mayChange = rights.has('users.change-role') && rights.has('users.delete');
  return readList(request, context, {
    spec: userTable,
    what: 'users',
    page: listUserRows,
    figures: async (db) => ({
      ...(await countUserFigures(db)),
      invitations: await listOpenInvitations(db),
      viewerId: id,
      mayChange,
      mayInvite: rights.has('users.invite'),
    }),
  });
}

/** Handles open invitations; users are changed on their own pages. */
export function action({ request, context }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.invite');
  return actOnInvitations(request, context, viewer);
}

export const meta = titled('Users');

const viewOf = (role: string) => `${userTable.path}?role=${role}`;
const nameOf = (row: UserRow) => row.full_name || 'No name';

export default function ManageUsersPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Users" failure={loaderData} />;
  const { total, superAdmins, admins, ofSets, users, invitations, viewerId, mayChange, mayInvite } =
    loaderData.figures;
  return (
    <ListScreen
      title="Users"
      about={mayChange ? null : userMessages.readOnly}
      {...(mayInvite && { begin: { to: '/admin/users/invite', label: 'Invite a colleague' } })}
      note={
        isFiltered(loaderData.query) ? null : (
          <OpenInvitations invitations={invitations} now={loaderData.now} mayAct={mayInvite} />
        )
      }
      spec={userTable}
      list={loaderData}
      noun={{ one: 'user', many: 'users' }}
      nameOf={nameOf}
      stats={[
        { label: 'Total Users', value: total, href: userTable.path },
        { label: 'Super Admins', value: superAdmins, href: viewOf('super_admin') },
        { label: 'Admins', value: admins, href: viewOf('admin') },
        ...(ofSets > 0 ? [{ label: roleFilter.set, value: ofSets, href: viewOf('set') }] : []),
        { label: 'Regular Users', value: users, href: viewOf('user') },
      ]}
      searchLabel="Search by email or full name"
      filters={[
        { name: 'role', label: 'Role', options: optionsOf(roleFilter) },
        {
          name: 'state',
          label: 'State',
          options: optionsOf({ active: 'Not suspended', suspended: 'Suspended' }),
        },
      ]}
      columns={columnsAt(loaderData.now, viewerId)}
      actsOf={({ id, suspended_at }) => {
        const to = `/admin/users/${id}`;
        const canAct = mayChange && id !== viewerId;
        return [
          { label: canAct ? 'Change role' : 'Details', to, isOver: true, isEdit: true },
          { label: 'Activity', to: `/admin/audit?actor=${id}` },
          canAct
            ? { label: suspended_at ? 'Reinstate' : 'Suspend', to: `${to}/suspend`, isOver: true }
            : null,
          canAct ? { label: 'Delete', to: `${to}/delete`, isOver: true } : null,
        ];
      }}
      empty={{ icon: 'user', title: 'No users found', hint: 'New users appear here.' }}
    />
  );
}

function columnsAt(now: Date, viewerId: string): Column<UserRow, UserSort>[] {
  return [
    {
      label: 'User',
      sort: 'name',
      cell: (row) => (
        <RowName href={`/admin/users/${row.id}`} name={nameOf(row)} note={row.email}>
          {row.id === viewerId ? <StatusPill variant="plain">You</StatusPill> : null}
          {row.suspended_at ? <StatusPill variant="bad">Suspended</StatusPill> : null}
          {row.email_verified ? null : <StatusPill variant="warn">Email not verified</StatusPill>}
          {row.two_factor_enabled ? <StatusPill variant="good">Two-factor</StatusPill> : null}
          {row.passkeyCount > 0 ? <StatusPill variant="good">Passkey</StatusPill> : null}
        </RowName>
      ),
    },
    { label: 'Role', sort: 'role', cell: (row) => <RoleBadge {...row} /> },
    {
      label: 'Joined',
      sort: 'joined',
      cell: (row) => <RelativeTime at={row.created_at} now={now} />,
    },
    { label: 'Last seen', cell: (row) => <RelativeTime at={row.lastSeenAt} now={now} /> },
  ];
}
