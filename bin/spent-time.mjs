// Where the time of a run went, told at its end.
const phases = new Map();

/** Does the work and counts what it took under this name. */
export function timed(name, work) {
  const start = performance.now();
  try {
    return work();
  } finally {
    phases.set(name, (phases.get(name) ?? 0) + performance.now() - start);
  }
}

/** `files` of tests: `{ name, seconds }`; the ten slowest are named. */
export function showTimes(files) {
  const rows = [...phases].map(([name, milliseconds]) => row(milliseconds / 1000, name));
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
