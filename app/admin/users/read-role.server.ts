import { data } from 'react-router';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { rightsOfBuiltIn, staffRights } from '#app/features/accounts/policy.ts';
import {
  countInvitationsTo,
  findRightSet,
  listHolders,
} from '#app/features/accounts/people/right-set-queries.server.ts';
import { nameRole, parseRole } from '#app/features/accounts/people/role-choice.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

export interface ShownRole {
  name: string;
  rights: readonly string[];
  /** `null` for a built-in role. */
  version: number | null;
}

/** Returns the role of a URL: `editor`, `super_admin` or the id of a custom set. */
export async function findRole(db: Db, key: string): Promise<ShownRole | null> {
  const id = parseRowId(key);
  if (id !== null) return findRightSet(db, id);
  const inSet = rightsOfBuiltIn(key);
  const choice = parseRole(inSet ? `set-${key}` : key);
  if (!choice || choice.role === 'user') return null;
  const name = nameRole({ ...choice, setName: null });
  return { name, rights: inSet ?? staffRights, version: null };
}

/** Returns a role with the people who have it, or a 404. */
export async function readRole(context: Context, viewer: SessionUser, key: string) {
  const services = appServices(context);
  const { db } = services;
  const role = await findRole(db, key);
  if (!role) throw data(null, { status: 404 });
  return {
    key,
    role,
    people: await listHolders(db, key),
    invitations: await countInvitationsTo(db, key),
    mayChange: viewer.rights.has('users.change-role'),
    ways: await identityWays(services, viewer),
  };
}
