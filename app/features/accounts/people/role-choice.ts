import type { Role } from '#database/schema/account-tables.ts';
import { type BuiltInSet, rightsOfBuiltIn } from '../policy.ts';
import { roleNames, roles } from './user-table.ts';

/** A role and, for an admin with fewer rights, a set. */
export interface RoleChoice {
  role: Role;
  rightSet: string | null;
}

export interface NamedRole extends RoleChoice {
  /** The name of a custom set. `null` without one, or if it was deleted. */
  setName: string | null;
}

export interface NamedSet {
  id: number;
  name: string;
}

export const builtInNames: Readonly<Record<BuiltInSet, string>> = {
  editor: 'Editor',
  writer: 'Writer',
  analyst: 'Analyst',
};

/** The built-in sets, from most to fewest rights. */
export const builtInSetIds = ['editor', 'writer', 'analyst'] as const satisfies BuiltInSet[];

export const isBuiltIn = (set: string): set is BuiltInSet => rightsOfBuiltIn(set) !== null;

/** Names that no custom set may have, in lower case. */
export const reservedNames: readonly string[] = [
  ...Object.values(roleNames),
  ...Object.values(builtInNames),
  ...roles,
  'Owner',
].map((name) => name.toLowerCase());

/** Returns the role's name on screens. */
export function nameRole({ role, rightSet, setName }: NamedRole): string {
  return nameSet(rightSet, setName) ?? roleNames[role];
}

/** Returns the role's name in the audit log. */
export function loggedRole({ role, rightSet, setName }: NamedRole): string {
  return nameSet(rightSet, setName) ?? role;
}

function nameSet(set: string | null, name: string | null): string | null {
  if (set === null) return null;
  return isBuiltIn(set) ? builtInNames[set] : (name ?? 'Deleted role');
}

/** Returns a role as the value of a form's option. */
export function roleValue({ role, rightSet }: RoleChoice): string {
  return rightSet === null ? role : `set-${rightSet}`;
}

/** Reads the value of a form's option. */
export function parseRole(value: string | undefined): RoleChoice | null {
  const role = roles.find((one) => one === value);
  if (role) return { role, rightSet: null };
  const [, set] = /^set-([a-z]+|[1-9]\d{0,14})$/.exec(value ?? '') ?? [];
  if (set === undefined || !(isBuiltIn(set) || /^\d/.test(set))) return null;
  return { role: 'admin', rightSet: set };
}

/** Returns all roles of staff as options, from few to many rights. */
export function staffRoleOptions(ownSets: readonly NamedSet[]) {
  const sets: [set: string, name: string | null][] = [
    ['analyst', null],
    ['writer', null],
    ['editor', null],
    ...ownSets.map(({ id, name }): [string, string] => [String(id), name]),
  ];
  const choices: NamedRole[] = [
    ...sets.map(([rightSet, setName]) => ({ role: 'admin' as const, rightSet, setName })),
    ...(['admin', 'super_admin'] as const).map((role) => ({
      role,
      rightSet: null,
      setName: null,
    })),
  ];
  return choices.map((choice) => ({ value: roleValue(choice), label: nameRole(choice) }));
}
