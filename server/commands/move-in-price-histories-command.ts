import { open } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { sourceSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import {
  countPriceOutcomes,
  findPriceMove,
} from '#app/features/moved-prices/price-move-queries.server.ts';
import { describePriceOutcome, priceOutcomes } from '#app/features/moved-prices/price-outcomes.ts';
import {
  advancePriceMove,
  movePrices,
  startPriceMove,
} from '#app/features/moved-prices/run-price-move.server.ts';
import { stagePrices } from '#app/features/moved-prices/stage-prices.server.ts';
import type { Db } from '#database/connect.ts';
import { errorCode } from '#database/error-code.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

interface Options {
  rehearse?: boolean;
  source?: string;
  dayOrder?: 'dmy' | 'mdy';
  deal?: string;
}

/** `deals move-in price-histories`. */
export const moveInPriceHistoriesCommand = new Command('price-histories')
  .description('move in prices of other trackers from a CSV with deal, date, price and source')
  .argument('<file>', 'the CSV file; also as gzip')
  .option('--rehearse', 'only count what would be added and left out')
  .option('--source <name>', 'the tracker, for rows that name none; shown on charts')
  .addOption(
    new Option(
      '--day-order <order>',
      'how to read 03/04/2025, if the file does not show it',
    ).choices(['dmy', 'mdy']),
  )
  .option('--deal <column>', 'the column that names the deal, if it is not found')
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file can't be read. Running again is always safe: an
interrupted move is completed, and the same file changes nothing. The admin can undo a move.`,
  )
  .action(async (file: string, options: Options) => {
    process.exitCode = await withDatabase(
      ({ database: { db } }) => moveInPriceHistories(db, file, options),
      { statementTimeout: 60_000 },
    );
  });

/** Imports a file, or counts its rows in a dry run. Returns the exit code. */
export async function moveInPriceHistories(
  db: Db,
  file: string,
  { rehearse = false, source = '', dayOrder, deal }: Options,
): Promise<number> {
  try {
    // Opens the file first, because a stream that fails before it is read would end the process.
    const handle = await open(file);
    if (!rehearse) await movePrices(db);
    const name = file.replace(/^.*[/\\]/, '');
    const id = await stagePrices(db, handle.createReadStream(), {
      name,
      actor: 'cli',
      source,
      limits,
      choices: { deal },
    });
    const staged = await findPriceMove(db, id);
    if (!staged) return 1;
    const choices = { source: staged.source, day_order: dayOrder ?? staged.day_order };
    if (!rehearse) {
      await startPriceMove(db, id, { ...choices, actor: 'cli' });
      await advancePriceMove(db, id);
    }
    const move = (await findPriceMove(db, id)) ?? staged;
    const counts = await countPriceOutcomes(db, { ...move, ...choices });
    for (const outcome of priceOutcomes) {
      const count = counts[outcome];
      if (count) print(`${String(count).padStart(8)}  ${describePriceOutcome(outcome)}`);
    }
    if (rehearse) await db.deleteFrom('price_moves').where('id', '=', id).execute();
    return 0;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (!(error instanceof FeedError) && !isMissing) throw error;
    const reason = error instanceof FeedError ? error.message : `there is no file ${file}`;
    process.stderr.write(`error: ${reason}\n`);
    return 1;
  }
}
