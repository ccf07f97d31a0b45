import { type ActionFunctionArgs, data, redirect } from 'react-router';
import { currentUser } from '#app/features/accounts/session-context.server.ts';
import { safeReturnPath } from '#app/features/accounts/safe-return-path.ts';
import { favoriteMessages } from '#app/features/favorites/favorite-messages.ts';
import { setFavorite } from '#app/features/favorites/set-favorite.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readText } from '#app/platform/read-text.ts';

/** POST `/api/favorites` with `deal_id` and `want=set|unset`; with `return_to` it is a form without scripts. */
export async function action({ request, context }: ActionFunctionArgs) {
  const services = appServices(context);
  const form = await request.formData();
  const returnTo = form.has('return_to') ? safeReturnPath(readText(form, 'return_to')) : null;
  const user = currentUser(context);
  if (!user) {
    if (returnTo) throw redirect(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`);
    return data({ ok: false, message: favoriteMessages.signedOut }, { status: 401 });
  }
  const admitted = await limit(services, 'member-write', user.id);
  if (!admitted.ok) {
    return data(
      { ok: false, message: tooManyAttempts },
      { status: 429, headers: retryAfter(admitted) },
    );
  }
  const dealId = Number(form.get('deal_id'));
  const want = form.get('want');
  if (!Number.isSafeInteger(dealId) || dealId < 1 || (want !== 'set' && want !== 'unset')) {
    return data({ ok: false, message: favoriteMessages.failed }, { status: 422 });
  }
  const outcome = await setFavorite(services.db, user.id, dealId, want === 'set');
  if (!outcome.ok) return data({ ok: false, message: outcome.message }, { status: outcome.status });
  if (returnTo) throw redirect(returnTo, 303);
  return data({ ok: true, isFavorite: outcome.isFavorite });
}

export function loader() {
  throw redirect('/favorites');
}
