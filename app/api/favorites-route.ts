import { type ActionFunctionArgs, data, redirect } from 'react-router';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { changeFavorite } from '#app/features/favorites/change-favorite.server.ts';
import { favoriteMessages } from '#app/features/favorites/favorite-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

/**
 * Handles a click on a heart with JavaScript. Without JavaScript, the form posts to
 * `/favorites`, which returns a page.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const user = currentUser(context);
  if (!user) return data({ ok: false, message: favoriteMessages.signedOut }, { status: 401 });
  const answer = await changeFavorite(appServices(context), user.id, await readFormBody(request));
  if (answer.ok) return data(answer);
  const { message, status, headers } = answer;
  return data({ ok: false, message }, headers ? { status, headers } : { status });
}

export function loader() {
  throw redirect('/favorites');
}
