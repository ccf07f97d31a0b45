// Measures the parts of a run, for its summary and for `bin/budget.mjs`.
import { appendFileSync, readFileSync } from 'node:fs';

const phases = new Map();

/** Does the work, and adds its seconds and CPU seconds to the phase with this name. */
export function timed(name, work) {
  const [start, before] = [performance.now(), processorSeconds()];
  try {
    return work();
  } finally {
    const spent = {
      name,
      seconds: (performance.now() - start) / 1000,
      processor: processorSeconds() - before,
    };
    const known = phases.get(name) ?? { seconds: 0, processor: 0 };
    phases.set(name, {
      seconds: known.seconds + spent.seconds,
      processor: known.processor + spent.processor,
    });
    if (process.env.SPENT_TIME)
      appendFileSync(process.env.SPENT_TIME, `${JSON.stringify(spent)}\n`);
  }
}

/**
 * Returns the CPU seconds of all finished child processes and their finished children, or 0 without
 * /proc. See `cutime` and `cstime` in proc(5), in ticks of 10 ms.
 */
function processorSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

/** Prints the phases, and the ten slowest of these test files, `{ name, seconds }`. */
export function showTimes(files) {
  const rows = [...phases].map(([name, { seconds }]) => row(seconds, name));
  const slowest = [...files]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => row(seconds, name));
  const lines = ['» where the time went', ...rows];
  if (slowest.length > 0) lines.push('» the slowest files', ...slowest);
  process.stderr.write(`${lines.join('\n')}\n`);
}

function row(seconds, name) {
  return `${seconds.toFixed(1).padStart(8)} s  ${name}`;
}
