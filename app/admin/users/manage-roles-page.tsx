import { Outlet } from 'react-router';
import type { Route } from './+types/manage-roles-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { rightSetMessages } from '#app/features/accounts/people/right-set-messages.ts';
import {
  countHolders,
  listRightSets,
} from '#app/features/accounts/people/right-set-queries.server.ts';
import { rightWords } from '#app/features/accounts/people/right-words.ts';
import { builtInSetIds, builtInNames } from '#app/features/accounts/people/role-choice.ts';
import { roleNames, staffRoles } from '#app/features/accounts/people/user-table.ts';
import { rightsOfBuiltIn, staffRights } from '#app/features/accounts/policy.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import { RowActs } from '../frame/row-acts.tsx';
import { RowName } from '../frame/row-name.tsx';
import { titled } from '../frame/titled.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const { db } = appServices(context);
  const [people, own] = await Promise.all([countHolders(db), listRightSets(db)]);
  const fixed = [
    ...staffRoles.toReversed().map((id) => ({ id, name: roleNames[id], rights: staffRights })),
    ...builtInSetIds.map((id) => ({
      id,
      name: builtInNames[id],
      rights: rightsOfBuiltIn(id) ?? [],
    })),
  ].map((role) => ({ ...role, isOwn: false }));
  const ofOwner = own.map(({ id, name, rights }) => ({
    id: String(id),
    name,
    rights,
    isOwn: true,
  }));
  const roles: RoleRow[] = [...fixed, ...ofOwner].map((role) => ({
    ...role,
    people: people.get(role.id) ?? 0,
  }));
  return { roles, mayChange: viewer.rights.has('users.change-role') };
}

interface RoleRow {
  id: string;
  name: string;
  rights: readonly string[];
  isOwn: boolean;
  people: number;
}

export const meta = titled('Roles');

export default function ManageRolesPage({ loaderData }: Route.ComponentProps) {
  const { roles, mayChange } = loaderData;
  return (
    <>
      <Outlet />
      <AdminHeading
        title="Roles"
        {...(mayChange && { action: { href: '/admin/roles/new', label: 'Add Role' } })}
      >
        {mayChange
          ? 'What colleagues may see and do. Give a role on a user’s page or with an invitation.'
          : rightSetMessages.readOnly}
      </AdminHeading>
      <PlainTable
        noun={{ one: 'role', many: 'roles' }}
        page={roles}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        renderMenu={(role) => (
          <RowActs id={role.id} name={role.name} acts={actsOf(role, mayChange)} />
        )}
        empty={null}
      />
    </>
  );
}

function actsOf({ id, isOwn, rights }: RoleRow, mayChange: boolean) {
  const to = `/admin/roles/${id}`;
  const copied = rights.length > 0 && id !== 'super_admin';
  return [
    { label: mayChange && isOwn ? 'Edit' : 'Details', to, isOver: true, isEdit: true },
    mayChange && copied
      ? { label: 'Copy', to: `/admin/roles/new?from=${id}`, isOver: false }
      : null,
    mayChange && isOwn ? { label: 'Delete', to: `${to}/delete`, isOver: true } : null,
  ];
}

const columns: PlainColumn<RoleRow>[] = [
  {
    label: 'Role',
    cell: ({ id, name }) => <RowName href={`/admin/roles/${id}`} name={name} />,
  },
  { label: 'Rights', cell: sumUp },
  {
    label: 'People',
    isNumber: true,
    cell: ({ people }) => people.toLocaleString('en-US'),
  },
];

function sumUp({ id, rights }: RoleRow): string {
  if (id === 'super_admin')
    return 'The owner: can do everything, and is the only one who manages staff';
  if (id === 'admin') return 'Everything except managing staff and the email server';
  const labels = Object.entries(rightWords).flatMap(([right, { label }]) =>
    rights.includes(right) && !isIncluded(right, rights) ? [label] : [],
  );
  return labels.join(' · ') || 'Opens the admin only';
}

/**
 * Returns whether another right of the set includes this one, so that listing both would be
 * redundant.
 */
function isIncluded(right: string, rights: readonly string[]): boolean {
  return Object.entries(rightWords).some(
    ([other, { includes }]) => includes === right && rights.includes(other),
  );
}
