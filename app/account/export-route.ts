import { type ActionFunctionArgs, redirect } from 'react-router';
import { confirmIdentity, readProof } from '#app/features/accounts/confirm-identity.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

/** `POST /profile/export`, once it is sure who asks (R50): a file of everything that is kept about the person who asks (R45). */
export async function action({ context, request }: ActionFunctionArgs): Promise<Response> {
  const user = requireUser(context);
  const services = appServices(context);
  const confirmed = await confirmIdentity(services, user, readProof(await readFormBody(request)));
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
