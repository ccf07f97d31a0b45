import { Command } from 'commander';
import {
  countMovedPictures,
  type PictureCounts,
} from '#app/features/moved-posts/moved-pictures.server.ts';
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
  describePictureHosts,
  describeWay,
} from '#app/features/moved-posts/move-words.ts';
import { runMoves, startMove } from '#app/features/moved-posts/run-move.server.ts';
import { stageMove } from '#app/features/moved-posts/stage-move.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { Db } from '#database/connect.ts';
import { readMoveFile } from '#server/commands/read-move-file.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

/** `deals move-in posts`. */
export const moveInPostsCommand = new Command('posts')
  .description('move in posts, pages, deals and coupons of a WordPress export, with redirects')
  .argument('<file>', 'the export, from Tools, Export in WordPress; also as gzip')
  .option('--rehearse', 'list what would move and where its address would lead, but change nothing')
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file is not an export or cut off. Running again is always safe:
an interrupted move is completed, and nothing is added twice. The admin can undo a move.
Deals get the category of the same name. Missing categories and stores are added.`,
  )
  .action(async (file: string, { rehearse = false }: { rehearse?: boolean }) => {
    process.exitCode = await withDatabase(
      ({ database: { db }, env }) =>
        moveInPosts(db, file, {
          origin: env.origin,
          privateHosts: env.feedPrivateHosts,
          isRehearsal: rehearse,
        }),
      { statementTimeout: 60_000 },
    );
  });

/** Imports a file, or lists its effects in a dry run. Returns the exit code. */
export function moveInPosts(
  db: Db,
  file: string,
  {
    isRehearsal,
    ...site
  }: { origin: string; privateHosts?: readonly string[]; isRehearsal: boolean },
): Promise<number> {
  return readMoveFile(file, async (source, about) => {
    if (!isRehearsal) await runMoves(db);
    const id = await stageMove(db, source, { ...about, actor: 'cli', ...site });
    if (isRehearsal) await printItems(db, id, false);
    else {
      await startMove(db, id, site.origin);
      await runMoves(db);
    }
    await printItems(db, id, true);
    const move = await findMove(db, id);
    if (move) print([`${describeMove(move)}.`, describeLeftOut(move) ?? ''].join('\n').trim());
    const pictures = await countMovedPictures(db, id);
    if (pictures.total > 0) print(describePictures(pictures));
    if (isRehearsal) await deletePreview(db, id);
  });
}

function describePictures(pictures: PictureCounts): string {
  const count = countNoun(pictures.total, 'picture');
  return `${count}, which the site copies in the background, from ${describePictureHosts(pictures)}.`;
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
  // Strips control characters, because strangers wrote the titles and URLs, and a terminal would
  // interpret them.
  return words.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n');
}
