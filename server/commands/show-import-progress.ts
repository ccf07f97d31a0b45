import { secondsLeft } from '#app/features/feeds/runs/time-left.ts';
import type { ImportProgress } from '#app/features/feeds/runs/import-steps.ts';

const barWidth = 24;
const lineEverySeconds = 5;

/** Shows a bar with rate and remaining time on a terminal, and an occasional line elsewhere. */
export function showImportProgress(
  out: { isTTY?: boolean; write(text: string): unknown },
  now: () => number = () => performance.now(),
): { update(progress: ImportProgress): void; end(): void; seconds(): number } {
  const start = now();
  let phase: ImportProgress['phase'] | null = null;
  let phaseStart = start;
  let lastLine = start;
  let hasBar = false;
  const seconds = () => (now() - start) / 1_000;
  return {
    seconds,
    update(progress) {
      if (phase !== null && progress.phase !== phase) phaseStart = now();
      phase = progress.phase;
      const text = describeProgress(progress, (now() - phaseStart) / 1_000);
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

/** Describes a phase after `seconds`, with its rate and remaining time. */
export function describeProgress(
  { phase, rows, rowsTotal, rowsToWrite, bytesRead, bytesTotal }: ImportProgress,
  seconds: number,
): string {
  const rate = seconds > 0 ? rows / seconds : 0;
  const facts = `${phase} ${rows.toLocaleString('en-US')} rows, ${Math.round(rate).toLocaleString('en-US')} a second`;
  const [done, all] = phase === 'reading' ? [bytesRead, bytesTotal] : [rows, rowsTotal];
  if (all === null || all === 0) return facts;
  const part = Math.min(1, done / all);
  const bar = '█'.repeat(Math.round(part * barWidth)).padEnd(barWidth, '░');
  const start = `${bar} ${String(Math.floor(part * 100)).padStart(3)}%  ${facts}`;
  const writes = phase === 'writing' ? rowsToWrite : null;
  const left = secondsLeft({ done, all, writes, seconds });
  if (left === null) return start;
  const whole = Math.ceil(left);
  return `${start}, ${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} left`;
}
