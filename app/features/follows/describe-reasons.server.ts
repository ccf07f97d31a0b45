import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Follow } from './follow-queries.server.ts';
import { targetKey } from './follow-target.ts';

/**
 * Returns why each deal is shown, such as `Because you follow Pixel Harbor and Audio`. A deal that
 * matches no follow has no reason.
 */
export async function describeReasons(
  db: Db,
  follows: readonly Follow[],
  deals: readonly Pick<DealSummary, 'id' | 'merchant' | 'category'>[],
): Promise<Map<number, string>> {
  const names = new Map(follows.map(({ target, name }) => [targetKey(target), name]));
  const ids = deals.map(({ id }) => id);
  const brands = new Map(
    (
      await ask(db).rows<{ id: number; brand: string }>`
        select deal_id as id, brand from deal_texts where deal_id = any(${ids}::bigint[]) and brand is not null`
    ).map(({ id, brand }) => [id, brand]),
  );
  const reasons = new Map<number, string>();
  for (const { id, merchant, category } of deals) {
    const brand = brands.get(id);
    const followed = [
      `merchant:${merchant.id}`,
      ...(brand === undefined ? [] : [`brand:${brand}`]),
      `category:${category.id}`,
    ].flatMap((key) => names.get(key) ?? []);
    if (followed.length > 0) {
      reasons.set(id, `Because you follow ${inWords.format([...new Set(followed)])}`);
    }
  }
  return reasons;
}

const inWords = new Intl.ListFormat('en-US', { type: 'conjunction' });
