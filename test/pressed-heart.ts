import type { Db } from '#database/connect.ts';

/** Returns the form fields that the heart on a deal's page posts to `/favorites`. */
export function pressedHeart(dealId: number): Record<string, string> {
  return { deal_id: String(dealId), want: 'set', return_to: '/deals?page=2' };
}

/** Returns the ids of all saved deals. */
export async function listSaved(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('user_favorites').select('deal_id').execute();
  return rows.map(({ deal_id }) => deal_id);
}
