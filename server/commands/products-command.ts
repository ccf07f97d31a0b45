import { Command } from 'commander';
import { mergeProducts } from '#app/features/products/merge-products.server.ts';
import { undoMessages } from '#app/features/products/product-messages.ts';
import { findProducts } from '#app/features/products/product-screen-queries.server.ts';
import { queueAllGtins } from '#app/features/products/queue-all-gtins.server.ts';
import { splitDeal } from '#app/features/products/review-links.server.ts';
import { undoAct } from '#app/features/products/undo-product-act.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { print, wholeNumber, withDatabase } from '#server/commands/with-database.ts';
import { loadEntry } from '#server/site-sources.ts';

export const productsCommand = new Command('products').description(
  'products, which compare the deals of several stores',
);

productsCommand
  .command('match')
  .description('link deals by their GTINs now, as the job does after each import')
  .option('--all', 'compare all GTINs, not only those of changed deals')
  .action((options: { all?: boolean }) =>
    withDatabase(async ({ database: { db }, env, log }) => {
      const before = await countOffers(db);
      if (options.all) await queueAllGtins(db);
      const { jobs } = await loadEntry();
      const job = jobs.find(({ name }) => name === 'match-products');
      const { signal } = new AbortController();
      await job?.run({ db, env, log, now: () => new Date() }, signal);
      print(`${await countOffers(db)} deals are offers of products, ${before} before.`);
    }),
  );

productsCommand
  .command('merge')
  .description('merge a product into another; its address redirects')
  .argument('<product>', 'its address, number or GTIN')
  .argument('<into>', 'the product that gets its offers and numbers')
  .action((product: string, into: string) =>
    withDatabase(async ({ database: { db } }) => {
      const [from, to] = [await findOne(db, product), await findOne(db, into)];
      const act = await mergeProducts(db, 'cli', from.id, to.id);
      if (act === null) throw new Error('These are not two products.');
      print(`Merged into /products/${to.slug}. ${undoHint(act)}`);
    }),
  );

productsCommand
  .command('split')
  .description('take a deal out of its product for good')
  .argument('<deal>', 'the number of the deal', wholeNumber)
  .action((deal: number) =>
    withDatabase(async ({ database: { db } }) => {
      const act = await splitDeal(db, 'cli', deal);
      if (act === null) throw new Error(`Deal ${deal} is not part of a product.`);
      print(`Deal ${deal} is on its own. ${undoHint(act)}`);
    }),
  );

productsCommand
  .command('undo')
  .description('undo a change of products by staff')
  .argument('<change>', 'its number, which the command printed', wholeNumber)
  .action((change: number) =>
    withDatabase(async ({ database: { db } }) => {
      const result = await undoAct(db, 'cli', change);
      if (result !== 'done') throw new Error(undoMessages[result]);
      print('Undone.');
    }),
  );

const undoHint = (act: number) => `Undo: deals products undo ${act}`;

async function findOne(db: Db, text: string) {
  const [product, ...others] = await findProducts(db, text);
  if (!product) throw new Error(`No product matches ${text}.`);
  if (others.length > 0) throw new Error(`Several products match ${text}.`);
  return product;
}

async function countOffers(db: Db): Promise<number> {
  return (
    (await ask(db).value<number>`
      select count(*)::int from deals where product_id is not null`) ?? 0
  );
}
