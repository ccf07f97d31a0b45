import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { favoriteMessages } from './favorite-messages.ts';
import { setFavorite } from './set-favorite.server.ts';

export type FavoriteAnswer =
  | { ok: true; isFavorite: boolean; lists?: number }
  | { ok: false; message: string; status: number; headers?: { 'retry-after': string } };

/**
 * Handles requests of a heart, sent by a script or a plain form, with `deal_id` and
 * `want=set|unset`.
 */
export async function changeFavorite(
  services: Pick<AppServices, 'db' | 'env'>,
  userId: string,
  form: FormData,
): Promise<FavoriteAnswer> {
  const admitted = await limit(services, 'member-write', userId);
  if (!admitted.ok) {
    return { ok: false, message: tooManyAttempts, status: 429, headers: retryAfter(admitted) };
  }
  const dealId = Number(form.get('deal_id'));
  const want = form.get('want');
  if (!Number.isSafeInteger(dealId) || dealId < 1 || (want !== 'set' && want !== 'unset')) {
    return { ok: false, message: favoriteMessages.failed, status: 422 };
  }
  return setFavorite(services.db, userId, dealId, want === 'set');
}
