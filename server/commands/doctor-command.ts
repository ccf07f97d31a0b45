import { Command } from 'commander';
import type { Finding } from '#app/platform/finding.ts';
import { examineSite } from '#server/examine-site.ts';
import { printAs } from '#server/commands/with-database.ts';

const marks = { ok: 'ok  ', warning: 'note', problem: 'FAIL' } as const;

export const doctorCommand = new Command('doctor')
  .description('check that the site can run well here, and suggest fixes')
  .option('--json', 'print the results as JSON')
  .action(async (options: { json?: boolean }) => {
    const findings = await examineSite();
    printAs(options, findings, findings.map(findingLine).join('\n'));
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
  });

export function findingLine({ state, name, says, mend }: Finding): string {
  return `${marks[state]}  ${name}: ${says}${mend ? `\n        → ${mend}` : ''}`;
}
