import { secondsLeft } from '#app/features/feeds/runs/time-left.ts';
import type { RunPulse } from '#app/features/feeds/runs/import-log-queries.server.ts';

/** Returns a run's progress and speed as text. `part` is `null` if unknown. */
export function describePulse(pulse: RunPulse): { part: number | null; facts: string[] } {
  const { phase, seconds } = pulse;
  if (phase === null) return { part: null, facts: [] };
  const isReading = phase === 'fetching' || phase === 'reading';
  const rows = isReading ? pulse.rows_read : pulse.rows_done;
  const [done, all] = isReading
    ? [pulse.bytes_read, pulse.bytes_total]
    : [pulse.rows_done, pulse.rows_total];
  const part = all === null || all === 0 ? null : Math.min(1, done / all);
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  const facts = [
    `${rows.toLocaleString('en-US')}${!isReading && pulse.rows_total !== null ? ` of ${pulse.rows_total.toLocaleString('en-US')}` : ''} rows`,
  ];
  if (rate > 0) facts.push(`${rate.toLocaleString('en-US')} rows a second`);
  // Reading takes less time than writing, so the remaining time is estimated only while writing.
  const left = secondsLeft({ done, all, writes: pulse.rows_to_write, seconds });
  if (phase === 'writing' && left !== null) facts.push(`about ${clock(left)} left`);
  return { part, facts };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
