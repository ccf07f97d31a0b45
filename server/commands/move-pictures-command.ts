import { Command, Option } from 'commander';
import { openMediaPlaces } from '#app/platform/open-media.server.ts';
import { pictureStores, type PictureStore } from '#app/platform/picture-stores.ts';
import { movePictures } from '#database/move-pictures.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const movePicturesCommand = new Command('move-pictures')
  .description('move stored pictures to another place; the site may keep running')
  .addOption(new Option('--to <place>', 'where to; default: PICTURE_STORE').choices(pictureStores))
  .option('--json', 'print the numbers as JSON')
  .addHelpText(
    'after',
    `
Moves pictures to the store that PICTURE_STORE names. Pictures are only copied to any other store, since the site still reads the old one.
Run the command again to resume an interrupted move. If servers have separate folders, run it on each of them.`,
  )
  .action((options: { to?: PictureStore; json?: boolean }) =>
    withDatabase(
      async ({ database, env }) => {
        const to = options.to ?? env.pictureStore;
        const { chosen, others } = openMediaPlaces({ db: database.db, env }, to);
        const keep = to !== env.pictureStore;
        const sum = { moved: 0, bytes: 0, there: 0 };
        for (const other of others) {
          const { moved, bytes, there } = await movePictures(other, chosen, { keep });
          sum.moved += moved;
          sum.bytes += bytes;
          sum.there += there;
        }
        const verb = keep ? 'Copied' : 'Moved';
        const next = keep
          ? ` Now set PICTURE_STORE=${to}, restart the site everywhere, and run this command again.`
          : '';
        const figures = `${sum.moved} pictures (${(sum.bytes / 2 ** 20).toFixed(1)} MB)`;
        const words = `${verb} ${figures} to ${to}; ${sum.there} already there.${next}`;
        printAs(options, { to, ...sum, kept: keep }, words);
      },
      { statementTimeout: 0 },
    ),
  );
