import { Command } from 'commander';
import type { CheckResult } from '#app/platform/check-result.ts';
import { examineSite } from '#server/examine-site.ts';
import { printAs } from '#server/commands/with-database.ts';

const marks = { ok: 'ok  ', warning: 'note', problem: 'FAIL' } as const;

export const doctorCommand = new Command('doctor')
  .description('check that the site can run well here, and suggest fixes')
  .option('--json', 'print the results as JSON')
  .action(async (options: { json?: boolean }) => {
    const results = await examineSite();
    printAs(options, results.map(asJson), results.map(resultLine).join('\n'));
    if (results.some(({ state }) => state === 'problem')) process.exitCode = 1;
  });

/** Output fields keep these names, because owners' scripts read them. */
const asJson = ({ name, state, detail, fix }: CheckResult) => ({
  name,
  state,
  says: detail,
  ...(fix !== undefined && { mend: fix }),
});

export function resultLine({ state, name, detail, fix }: CheckResult): string {
  return `${marks[state]}  ${name}: ${detail}${fix ? `\n        → ${fix}` : ''}`;
}
