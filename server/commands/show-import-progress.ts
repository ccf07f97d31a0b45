import type { ImportProgress } from '#app/features/feeds/runs/import-steps.ts';

const barWidth = 24;
const lineEverySeconds = 5;

/** A bar with rate and remaining time on a terminal, an occasional line elsewhere. */
export function showImportProgress(
  out: { isTTY?: boolean; write(text: string): unknown },
  now: () => number = () => performance.now(),
): { update(progress: ImportProgress): void; end(): void; seconds(): number } {
  const start = now();
  let lastLine = start;
  let hasBar = false;
  const seconds = () => (now() - start) / 1_000;
  return {
    seconds,
    update(progress) {
      const text = describeProgress(progress, seconds());
      if (out.isTTY) {
        hasBar = true;
        out.write(`\r\u001B[K${text}`);
      } else if (now() - lastLine >= lineEverySeconds * 1_000) {
        lastLine = now();
        out.write(`${text}\n`);
      }
    },
    end() {
      if (hasBar) out.write('\r\u001B[K');
    },
  };
}

export function describeProgress(
  { phase, rows, rowsTotal, bytesRead, bytesTotal }: ImportProgress,
  seconds: number,
): string {
  const rate = seconds > 0 ? rows / seconds : 0;
  const facts = `${phase} ${rows.toLocaleString('en-US')} rows, ${Math.round(rate).toLocaleString('en-US')} a second`;
  const [done, all] = phase === 'reading' ? [bytesRead, bytesTotal] : [rows, rowsTotal];
  if (all === null || all === 0) return facts;
  const part = Math.min(1, done / all);
  const bar = '█'.repeat(Math.round(part * barWidth)).padEnd(barWidth, '░');
  const left = part > 0 ? Math.ceil((seconds / part) * (1 - part)) : 0;
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${facts}, ${clock} left`;
}
