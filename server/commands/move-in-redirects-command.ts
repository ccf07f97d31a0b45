import { Command } from 'commander';
import { describeUndoneRedirects } from '#app/features/catalog/describe-undone-redirects.ts';
import {
  importRedirects,
  undoRedirectImport,
} from '#app/features/catalog/redirect-imports.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readRedirectFile } from '#app/features/moved-posts/read-redirect-file.server.ts';
import type { Db } from '#database/connect.ts';
import { readMoveFile } from '#server/commands/read-move-file.ts';
import { print, wholeNumber, withDatabase } from '#server/commands/with-database.ts';

interface Options {
  rehearse?: boolean;
  oldSite?: string;
  undo?: number;
}

const mostBytes = 20 * 1024 * 1024;

/** `deals move-in redirects`. */
export const moveInRedirectsCommand = new Command('redirects')
  .description(
    'move in redirects of the WordPress plugins Redirection and Yoast SEO Premium, or of any CSV',
  )
  .argument('[file]', 'the CSV file, or the JSON of Redirection')
  .option('--rehearse', 'list the effect of each row, but change nothing')
  .option('--old-site <address>', 'the former address of the site; links to it become paths')
  .option('--undo <import>', 'undo an import of the last 30 days by its number', wholeNumber)
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file can't be read. Running again adds nothing twice. An undo
deletes the redirects that the import added and restores those that it changed, except those edited since.`,
  )
  .action(async (file: string | undefined, options: Options, command: Command) => {
    const { undo } = options;
    if ((file === undefined) === (undo === undefined))
      command.error('error: name a file, or an import with --undo');
    process.exitCode = await withDatabase(
      ({ database: { db }, env }) =>
        undo === undefined
          ? moveInRedirects(db, file ?? '', { ...options, origin: env.origin })
          : undoMovedRedirects(db, undo),
      { statementTimeout: 60_000 },
    );
  });

/** Imports a file, or lists its effects in a dry run. Returns the exit code. */
export function moveInRedirects(
  db: Db,
  file: string,
  { rehearse = false, oldSite = '', origin }: Omit<Options, 'undo'> & { origin: string },
): Promise<number> {
  return readMoveFile(file, async (source, { name }) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new FeedError('the file is larger than 20 MB');
      chunks.push(chunk);
    }
    const read = await readRedirectFile(db, Buffer.concat(chunks), { origin, oldSite });
    if (!read.ok) throw new FeedError(read.message);
    const { lines, accepted } = read;
    for (const { from, to, status, effect } of lines) {
      const line =
        typeof effect === 'object'
          ? `- ${from}: ${effect.problem}`
          : `+ ${from} -> ${to || 'gone'} (${status}, ${effect === 'same' ? 'unchanged' : effect})`;
      // Strips control characters, because strangers wrote the URLs, and a terminal would interpret
      // them.
      print(line.replace(/\p{Cc}/gu, ' '));
    }
    const imported = rehearse
      ? null
      : await importRedirects(db, { fileName: name, actor: 'cli' }, accepted);
    print(`${accepted.length} of ${lines.length} taken.`);
    if (imported) print(`To undo it within 30 days: deals move-in redirects --undo ${imported.id}`);
  });
}

/** Undoes an import. Returns the exit code. */
export async function undoMovedRedirects(db: Db, id: number): Promise<number> {
  const undone = await undoRedirectImport(db, id, 'cli');
  if (undone.ok) print(describeUndoneRedirects(undone));
  else process.stderr.write(`error: ${undone.reason}\n`);
  return undone.ok ? 0 : 1;
}
