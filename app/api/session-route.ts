import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  isRefreshable,
  touchSession,
} from '#app/features/accounts/sessions/session-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

const headers = { 'cache-control': 'private, no-store' };

/** `GET /api/session` returns the end of the user's own session, and never a token. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const user = currentUser(context);
  if (!user) return new Response(null, { status: 401, headers });
  const { db, env } = appServices(context);
  const { sessionExpiresAt: expiresAt, role } = user;
  const monitored = env.sessionMonitor && {
    isRefreshable: await isRefreshable(db, user.sessionId),
  };
  return Response.json({ expiresAt, role, ...monitored }, { headers });
}

/** `POST /api/session` extends the session, up to its absolute end. */
export async function action({ context }: ActionFunctionArgs): Promise<Response> {
  const user = currentUser(context);
  if (!user) return new Response(null, { status: 401, headers });
  const expiresAt = await touchSession(appServices(context).db, user);
  if (!expiresAt) return new Response(null, { status: 401, headers });
  return Response.json({ expiresAt }, { headers });
}
