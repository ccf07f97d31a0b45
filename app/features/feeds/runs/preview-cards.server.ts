import { sql } from 'kysely';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { makeNewCategories } from './assign-categories.server.ts';
import { insertMerchant } from './import-queries.server.ts';
import { missingDeals } from './import-plan-queries.server.ts';
import type { ImportPlan } from './plan-import.server.ts';
import type { DryRun } from './dry-run.ts';
import { endReplaced, settleProducts } from './replace-products.server.ts';
import { listNewCategories } from './stage-rows.server.ts';
import { type PlanTarget, signWithRun, writeBatch } from './write-plan-queries.server.ts';

const shownCards = 3;
const shownNames = 20;

/**
 * Describes the effect of the plan. Nothing is stored: the deals are written, read and rolled back.
 */
export async function previewCards(
  db: Db,
  plan: ImportPlan,
  target: Omit<PlanTarget, 'merchantId'> & { merchantId: number | null; merchant: string },
  endingSource: number | null,
): Promise<DryRun> {
  const categories = await listNewCategories(db);
  const ending =
    plan.ending === 0
      ? []
      : await ask(db).rows<{ title: string; slug: string }>`
          select title, slug from deals d where ${missingDeals(endingSource)} order by id limit ${shownNames}`;
  return {
    cards: plan.writes === 0 ? [] : await writeAndForget(db, plan, target),
    categories: categories.slice(0, shownNames),
    categoryCount: categories.length,
    ending,
  };
}

class Forgotten extends Error {
  readonly cards: PricedDeal[];

  constructor(cards: PricedDeal[]) {
    super('only a dry run');
    this.cards = cards;
  }
}

/** Writes the first deals as the import will, reads their cards, and rolls everything back. */
async function writeAndForget(
  db: Db,
  plan: ImportPlan,
  target: Parameters<typeof previewCards>[2],
): Promise<PricedDeal[]> {
  const part = { after: 0, upTo: Math.min(shownCards, plan.writes) };
  try {
    return await db.transaction().execute(async (tx): Promise<never> => {
      const merchantId = target.merchantId ?? (await insertMerchant(tx, target.merchant));
      await keepCategoriesFew(tx, part.upTo);
      await signWithRun(tx, target.runId);
      await settleProducts(tx, part);
      await endReplaced(tx, part, { ...target, merchantId });
      await writeBatch(tx, part, { ...target, merchantId });
      throw new Forgotten(await readCards(tx, merchantId, part.upTo));
    });
  } catch (error) {
    if (error instanceof Forgotten) return error.cards;
    throw error;
  }
}

/** Creates only the categories of the shown rows, since another import may wait for the lock. */
async function keepCategoriesFew(tx: Db, upTo: number): Promise<void> {
  await sql`
    update pg_temp.import_rows set new_category = null
     where new_category is not null and new_category not in (
       select r.new_category from pg_temp.import_rows r join pg_temp.import_plan p on p.n = r.n
        where p.seq <= ${upTo} and r.new_category is not null)`.execute(tx);
  await makeNewCategories(tx);
}

async function readCards(tx: Db, merchantId: number, upTo: number): Promise<PricedDeal[]> {
  const written = await ask(tx).rows<{ id: number; image_url: string | null }>`
    select d.id, d.image_url from pg_temp.import_plan p
      join deals d on d.merchant_id = ${merchantId} and d.external_id = p.external_id
     where p.seq <= ${upTo} order by p.seq`;
  const deals = await listDealsByIds(
    tx,
    written.map(({ id }) => id),
  );
  // The site copies pictures after the import; until then, the shop's own are shown.
  const pictures = new Map(written.map(({ id, image_url }) => [id, image_url]));
  const shown = deals.map((deal) => ({
    ...deal,
    picture: deal.picture ?? pictures.get(deal.id) ?? null,
  }));
  return priceDeals(tx, shown, await readSiteSettings(tx), new Date());
}
