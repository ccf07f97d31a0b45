import { type ActionFunctionArgs, redirect } from 'react-router';
import { checkPassword } from '#app/features/accounts/check-password.server.ts';
import { exportAccount } from '#app/features/accounts/export-account.server.ts';
import { requireUser } from '#app/features/accounts/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';

/** `POST /profile/export` with the password: a file of everything that is kept about the person who asks (R45). */
export async function action({ context, request }: ActionFunctionArgs): Promise<Response> {
  const user = requireUser(context);
  const services = appServices(context);
  const password = readText(await request.formData(), 'password').slice(0, 1000);
  const checked = await checkPassword(services, user.email, password);
  if (!checked.ok) return redirect('/profile?export=refused#profile-export', { status: 303 });
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
