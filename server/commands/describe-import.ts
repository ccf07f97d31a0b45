import { describeReductions } from '#app/features/feeds/runs/describe-reductions.ts';
import type { ImportReport } from '#app/features/feeds/runs/import-steps.ts';

const mostShown = 50;

/** Returns an import report as text for the terminal. */
export function describeImport(
  report: ImportReport,
  options: { seconds: number; isDryRun: boolean },
): string {
  const { counts, issues } = report;
  const lines = [headline(report, options.isDryRun)];
  if (report.error !== null) lines.push(`Error: ${report.error}.`);
  if (report.state === 'busy') return `${lines.join('\n')}\nTry again when it has ended.\n`;
  if (report.format !== null) {
    lines.push(
      `Read as ${report.format} in ${report.encoding}: ${count(counts.read)} rows in ${options.seconds.toFixed(1)} s`,
    );
    for (const name of ['new', 'changed', 'unchanged', 'held', 'rejected'] as const)
      lines.push(`  ${name.padEnd(11)}${count(counts[name])}`);
    if (counts.folded > 0)
      lines.push(`  variants merged into the deal of their group: ${count(counts.folded)}`);
    if (counts.ended > 0) lines.push(`  ended      ${count(counts.ended)}`);
    for (const [field, deals] of Object.entries(report.fieldChanges ?? {}))
      lines.push(`  ${field} would change in ${count(deals)}`);
    const reductions = describeReductions(counts.reduced, counts.read - counts.rejected);
    if (reductions !== null) lines.push(`${reductions}.`);
  }
  for (const issue of issues.slice(0, mostShown)) {
    const id = issue.external_id === null ? '' : ` (${issue.external_id})`;
    lines.push(`${issue.line === null ? '' : `line ${issue.line}`}${id}: ${issue.reason}`);
  }
  if (report.issueCount > mostShown) {
    const kept =
      report.runId === null ? '' : `; the first 1,000 are stored with run ${report.runId}`;
    lines.push(`… and ${count(report.issueCount - mostShown)} more${kept}`);
  }
  if (report.state === 'interrupted') {
    lines.push(
      'Everything written so far is stored. Run the same command again to continue: nothing is duplicated.',
    );
  }
  // Strips control characters, because these lines contain text from the feed.
  return `${lines.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n')}\n`;
}

function headline(report: ImportReport, isDryRun: boolean): string {
  const run = report.runId === null ? '' : ` (run ${report.runId})`;
  const words = {
    done: `Import finished${run}.`,
    asking: `Import finished${run}, but deals that the feed no longer lists wait for your decision at /admin/imports.`,
    failed: `Import failed${run}. Nothing was changed.`,
    unchanged: 'The feed has not changed since the last import.',
    cancelled: `Import cancelled${run}.`,
    interrupted: `Import interrupted${run}.`,
    busy: 'Nothing was imported.',
  };
  if (isDryRun && report.state === 'asking') {
    return 'Dry run done: nothing was stored. More than 30% of the deals would end, which needs a confirmation.';
  }
  if (isDryRun && report.state !== 'busy') return `Dry run ${report.state}: nothing was stored.`;
  return words[report.state];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
