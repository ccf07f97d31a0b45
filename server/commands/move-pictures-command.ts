import { Command, Option } from 'commander';
import { openMediaPlaces } from '#app/platform/open-media.server.ts';
import { pictureStores, type PictureStore } from '#app/platform/picture-stores.ts';
import { movePictures } from '#database/move-pictures.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const movePicturesCommand = new Command('move-pictures')
  .description('bring stored pictures to another place; the site may run on')
  .addOption(new Option('--to <place>', 'where to; default: PICTURE_STORE').choices(pictureStores))
  .option('--json', 'print the figures as JSON')
  .addHelpText(
    'after',
    `
Moves what lies elsewhere to the place that PICTURE_STORE names. To any other place it only copies: the site reads the old one.
Run it again after it was stopped: it goes on where it was. On several machines with folders of their own run it on each.`,
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
          ? ` Now set PICTURE_STORE=${to}, start the site again everywhere, and run this once more.`
          : '';
        const figures = `${sum.moved} pictures (${(sum.bytes / 2 ** 20).toFixed(1)} MB)`;
        const words = `${verb} ${figures} to ${to}; ${sum.there} were there already.${next}`;
        printAs(options, { to, ...sum, kept: keep }, words);
      },
      { statementTimeout: 0 },
    ),
  );
