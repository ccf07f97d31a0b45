import { type ActionFunctionArgs, redirect } from 'react-router';
import { confirmIdentity, readProof } from '#app/features/accounts/confirm-identity.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';

/**
 * `POST /profile/export` returns a file of everything stored about the user, after an identity
 * check.
 */
export async function action({ context, request }: ActionFunctionArgs): Promise<Response> {
  const user = requireUser(context);
  const { services, form } = await readPost(context, request);
  const confirmed = await confirmIdentity(services, user, readProof(form));
  if (!confirmed.ok) {
    return redirect(`/profile?export=${confirmed.reason}#profile-export`, { status: 303 });
  }
  const day = services.now().toISOString().slice(0, 10);
  services.log.info({ event: 'account-export', userId: user.id }, 'account exported');
  return new Response(`${JSON.stringify(await exportAccount(services.db, user.id), null, 2)}\n`, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="my-data-${day}.json"`,
      'cache-control': 'private, no-store',
    },
  });
}

export function loader(): Response {
  return redirect('/profile');
}
