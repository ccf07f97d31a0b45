import { Command } from 'commander';
import { importRedirects } from '#app/features/catalog/editable-redirects.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readRedirectFile } from '#app/features/moved-posts/read-redirect-file.server.ts';
import type { Db } from '#database/connect.ts';
import { readMoveFile } from '#server/commands/read-move-file.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

interface Options {
  rehearse?: boolean;
  oldSite?: string;
}

const mostBytes = 20 * 1024 * 1024;

/** `deals move-in redirects`. */
export const moveInRedirectsCommand = new Command('redirects')
  .description(
    'move in redirects of the WordPress plugins Redirection and Yoast SEO Premium, or of any CSV',
  )
  .argument('<file>', 'the CSV file, or the JSON of Redirection')
  .option('--rehearse', 'list the effect of each row, but change nothing')
  .option('--old-site <address>', 'the former address of the site; links to it become paths')
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file can't be read. Running again adds nothing twice. Redirects
are edited and deleted in the admin.`,
  )
  .action(async (file: string, options: Options) => {
    process.exitCode = await withDatabase(
      ({ database: { db }, env }) => moveInRedirects(db, file, { ...options, origin: env.origin }),
      { statementTimeout: 60_000 },
    );
  });

/** Imports a file, or only lists its effects. Returns the exit code. */
export function moveInRedirects(
  db: Db,
  file: string,
  { rehearse = false, oldSite = '', origin }: Options & { origin: string },
): Promise<number> {
  return readMoveFile(file, async (source) => {
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
      // URLs are a stranger's, and a terminal obeys control characters.
      print(line.replace(/\p{Cc}/gu, ' '));
    }
    if (!rehearse && accepted.length > 0) await importRedirects(db, 'cli', accepted);
    print(`${accepted.length} of ${lines.length} taken.`);
  });
}
