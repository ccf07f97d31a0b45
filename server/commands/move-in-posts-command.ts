import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { sourceSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import {
  deletePreview,
  findMove,
  listMoveItems,
  type MoveItem,
} from '#app/features/moved-posts/move-queries.server.ts';
import {
  describeItem,
  describeLeftOut,
  describeMove,
  describeWay,
} from '#app/features/moved-posts/move-words.ts';
import { runMoves, startMove } from '#app/features/moved-posts/run-move.server.ts';
import { stageMove } from '#app/features/moved-posts/stage-move.server.ts';
import type { Db } from '#database/connect.ts';
import { errorCode } from '#database/error-code.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

/** `deals move-in posts`. */
export const moveInPostsCommand = new Command('posts')
  .description('move in posts and pages of a WordPress export, with redirects from their addresses')
  .argument('<file>', 'the export, from Tools, Export in WordPress; also as gzip')
  .option('--rehearse', 'list what would move and where its address would lead, but change nothing')
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file is no export or cut off. Running again is always safe:
an interrupted move is completed, and nothing is added twice. The admin can undo a move.`,
  )
  .action(async (file: string, { rehearse = false }: { rehearse?: boolean }) => {
    process.exitCode = await withDatabase(
      ({ database: { db }, env }) =>
        moveInPosts(db, file, { origin: env.origin, isRehearsal: rehearse }),
      { statementTimeout: 60_000 },
    );
  });

/** Moves in a file, or only lists its effects. Returns the exit code. */
export async function moveInPosts(
  db: Db,
  file: string,
  { origin, isRehearsal }: { origin: string; isRehearsal: boolean },
): Promise<number> {
  try {
    // A stream of a missing file would fail before it is read.
    const source = (await open(file)).createReadStream();
    if (!isRehearsal) await runMoves(db, origin);
    const id = await stageMove(db, source, {
      name: file.replace(/^.*[/\\]/, ''),
      actor: 'cli',
      origin,
      limits,
    });
    if (isRehearsal) {
      await printItems(db, id, false);
      await printItems(db, id, true);
    } else {
      await startMove(db, id, origin);
      await runMoves(db, origin);
      await printItems(db, id, true);
    }
    const move = await findMove(db, id);
    if (move) print([`${describeMove(move)}.`, describeLeftOut(move) ?? ''].join('\n').trim());
    if (isRehearsal) await deletePreview(db, id);
    return 0;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (!(error instanceof FeedError) && !isMissing) throw error;
    process.stderr.write(
      `error: ${isMissing ? `there is no file ${file}` : (error as Error).message}\n`,
    );
    return 1;
  }
}

async function printItems(db: Db, move: number, isSkipped: boolean): Promise<void> {
  const limit = 500;
  for (let offset = 0; ; offset += limit) {
    const { rows } = await listMoveItems(db, { move, isSkipped }, { limit, offset });
    for (const row of rows) print(lineOf(row));
    if (rows.length < limit) return;
  }
}

function lineOf(item: MoveItem): string {
  const mark = item.skip === null ? '+' : '-';
  const notes = describeItem(item);
  const words = [
    `${mark} ${item.old_url || item.title} -> ${describeWay(item)}`,
    ...notes.map((note) => `    ${note}`),
  ];
  // Titles and addresses are a stranger's, and a terminal obeys control characters.
  return words.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n');
}
