import { data, type RouterContextProvider } from 'react-router';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import type { Right } from '#app/features/accounts/policy.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { userMessages } from '#app/features/accounts/people/user-messages.ts';
import {
  findUserRow,
  type UserRow,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { backToList } from '../frame/back-to-list.ts';

/** The user of an address, and why the viewer may not do `act` with them; null when they may. */
export async function readUser(
  request: Request,
  context: Readonly<RouterContextProvider>,
  { viewer, id, act }: { viewer: SessionUser; id: string; act: Right },
) {
  const services = appServices(context);
  const { db, now } = services;
  const user = await findUserRow(db, id);
  if (!user) throw data(null, { status: 404 });
  return {
    user,
    refusal: whyNot(viewer, user, act),
    ways: await identityWays(services, viewer),
    now: now(),
    backTo: backToList(request.url, '/admin/users'),
  };
}

function whyNot(viewer: SessionUser, user: UserRow, act: Right): string | null {
  if (!viewer.rights.has(act)) return userMessages.readOnly;
  if (viewer.id === user.id) return userMessages.self;
  return act === 'users.change-role' && !user.email_verified ? userMessages.unproved : null;
}
