import { appendFile, readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { fetchCheckpoints } from '#app/features/evidence/fetch-checkpoints.server.ts';
import type { SignedCheckpoint } from '#app/features/evidence/verify-evidence.ts';
import { witnessSite } from '#app/features/evidence/witness-site.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { errorCode } from '#database/error-code.ts';
import { printAs } from '#server/commands/with-database.ts';

export const witnessCommand = new Command('witness')
  .description('keep the sealed days of another site, and report rewritten ones')
  .argument('<url>', 'the address of the site')
  .requiredOption('--file <file>', 'where to keep the days; created if missing')
  .option('--json', 'print the result as JSON')
  .action(async (url: string, options: { file: string; json?: boolean }) => {
    const kept = await readKept(options.file);
    const report = await witnessSite(kept, (from) =>
      fetchCheckpoints(url, from, { allowPrivate: true }),
    );
    const { added, problems, notes } = report;
    const lines = added.map((checkpoint) => `${JSON.stringify(checkpoint)}\n`);
    await appendFile(options.file, lines.join(''));
    const known = `${countNoun(kept.length, 'day')} kept, ${added.length} added.`;
    const outcome = problems.length === 0 ? 'Nothing was rewritten.' : 'Nothing was added.';
    printAs(options, report, [...notes, ...problems, `${known} ${outcome}`].join('\n'));
    if (problems.length > 0) process.exitCode = 1;
  });

async function readKept(file: string): Promise<SignedCheckpoint[]> {
  try {
    const text = await readFile(file, 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as SignedCheckpoint);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
