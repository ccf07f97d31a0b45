/**
 * The result of a benchmark: data for scripts, text for people, and whether all targets are met.
 */
export interface Measured {
  results: unknown;
  text: string;
  isMet: boolean;
}

/** Returns the median and the 99th percentile of some durations, in milliseconds. */
export function timingOf(durations: readonly number[]): { median: number; p99: number } {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

export async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function ms(value: number): string {
  return value.toFixed(1);
}

export function verdictOn(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

/**
 * Formats a table whose columns are as wide as their widest cell. The first column is left-aligned,
 * the others are right-aligned.
 */
export function table(rows: string[][]): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => (row[column] ?? '').length));
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column));
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ')).join('\n');
}
