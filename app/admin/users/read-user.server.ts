import { data } from 'react-router';
import { isStaff, type Right } from '#app/features/accounts/policy.ts';
import { describeBrowser } from '#app/features/accounts/sessions/describe-browser.ts';
import { listOwnSessions } from '#app/features/accounts/sessions/session-queries.server.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { userMessages } from '#app/features/accounts/people/user-messages.ts';
import {
  findUserRow,
  type UserRow,
} from '#app/features/accounts/people/user-table-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { listNewestOf } from '#app/platform/audit/audit-queries.server.ts';
import { findSuspension } from '#app/platform/mail/suspension-queries.server.ts';
import { nameThings } from '#app/features/desk/name-things.server.ts';
import { thingsOf } from '../audit/describe-entry.ts';
import { backToList } from '../frame/back-to-list.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

/**
 * Returns the user of a URL, and the reason why the viewer may not perform `act` on this user, or
 * `null`.
 */
export async function readUser(
  request: Request,
  context: Context,
  { viewer, id, act }: { viewer: SessionUser; id: string; act: Right },
) {
  const services = appServices(context);
  const { db, now } = services;
  const user = await findUserRow(db, id);
  if (!user) throw data(null, { status: 404 });
  return {
    user,
    suspension: await findSuspension(db, user.email),
    refusal: whyNot(viewer, user, act),
    ways: await identityWays(services, viewer),
    now: now(),
    backTo: backToList(request.url, '/admin/users'),
  };
}

const newestShown = 5;

/** Returns the user's latest actions, if the viewer may read the log. */
export async function readDoings(context: Context, viewer: SessionUser, userId: string) {
  if (!viewer.rights.has('audit.read')) return null;
  const { db } = appServices(context);
  const rows = await listNewestOf(db, userId, newestShown);
  return { rows, present: await nameThings(db, [['user', userId], ...rows.flatMap(thingsOf)]) };
}

/** Returns a colleague's sessions without IP addresses, if the viewer may end them. */
export async function readSessions(context: Context, viewer: SessionUser, user: UserRow) {
  const mayEnd = viewer.rights.has('users.suspend') && viewer.id !== user.id;
  if (!mayEnd || !isStaff(user.role)) return null;
  const sessions = await listOwnSessions(appServices(context).db, user.id);
  return sessions.map(({ id, createdAt, lastSeenAt, userAgent }) => ({
    id,
    createdAt,
    lastSeenAt,
    browser: describeBrowser(userAgent),
  }));
}

function whyNot(viewer: SessionUser, user: UserRow, act: Right): string | null {
  if (!viewer.rights.has(act)) return userMessages.readOnly;
  if (viewer.id === user.id) return userMessages.self;
  return act === 'users.change-role' && !user.email_verified ? userMessages.unproved : null;
}
