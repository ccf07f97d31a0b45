import { hashToken, newToken } from '#app/features/accounts/hash-token.server.ts';
import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import type { Db } from '#database/connect.ts';
import { findOwnList, type ListOutcome, refuseList } from './change-favorite-lists.server.ts';
import { favoriteListMessages } from './favorite-list-messages.ts';

const sealedFor = (id: number) => ({ purpose: 'list links', owner: String(id) }) as const;

/**
 * Creates the secret link of a list. A list that is already shared keeps its link. An unverified
 * account may belong to a stranger, so it shares nothing.
 */
export function shareList(
  db: Db,
  user: { id: string; emailVerified: boolean },
  id: number,
): Promise<ListOutcome> {
  return db.transaction().execute(async (tx) => {
    const list = await findOwnList(tx, user.id, id);
    if (!list) return refuseList(404, favoriteListMessages.gone);
    if (!user.emailVerified) return refuseList(403, favoriteListMessages.unverified);
    if (list.sealed_link) return { ok: true, id };
    const token = newToken();
    await tx
      .updateTable('favorite_lists')
      .set({
        link_hash: hashToken(token),
        sealed_link: await sealSecret(tx, sealedFor(id), Buffer.from(token)),
      })
      .where('id', '=', id)
      .execute();
    return { ok: true, id };
  });
}

/** Revokes the secret link of a list. A later link has a different token. */
export function stopSharing(db: Db, userId: string, id: number): Promise<ListOutcome> {
  return db.transaction().execute(async (tx) => {
    if (!(await findOwnList(tx, userId, id))) return refuseList(404, favoriteListMessages.gone);
    await tx
      .updateTable('favorite_lists')
      .set({ link_hash: null, sealed_link: null })
      .where('id', '=', id)
      .execute();
    return { ok: true, id };
  });
}

/** Returns the path of a list's secret link for its owner, or null if it is not shared. */
export async function readSharePath(db: Db, userId: string, id: number): Promise<string | null> {
  const list = await db
    .selectFrom('favorite_lists')
    .select('sealed_link')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!list?.sealed_link) return null;
  const token = await openSealedSecret(db, sealedFor(id), list.sealed_link);
  return `/lists/${token.toString()}`;
}
