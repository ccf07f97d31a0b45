import { Command } from 'commander';
import { verifyLog } from '#app/features/evidence/verify-log.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const verifyCommand = new Command('verify')
  .description('compare the price log with its sealed days')
  .option('--json', 'print the result as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database }) => {
      const report = await verifyLog(database.db);
      const { days, leaves, problems, notes } = report;
      const outcome =
        problems.length > 0
          ? `${countNoun(problems.length, 'problem')} found.`
          : days > 0
            ? 'The sealed log is unchanged.'
            : 'Nothing is sealed yet.';
      const summary = `${countNoun(days, 'day')}, ${countNoun(leaves, 'price or void', 'prices and voids')}. ${outcome}`;
      printAs(options, report, [...notes, ...problems, summary].join('\n'));
      if (problems.length > 0) process.exitCode = 1;
    }),
  );
