// Compares the parts of `.ci/run` with their budgets, in seconds and in CPU seconds. Both are
// scaled by the time of a fixed piece of work on this server, so that tests are not blamed for a
// busy server.
//   node bin/budget.mjs start   measures the server, before anything else
//   node bin/budget.mjs end     measures it again and prints the table; exits with 1 above twice a CPU budget
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

/**
 * The parts of a run: their seconds on two idle cores, and the phases of `timed` that belong to
 * them.
 */
const parts = [
  {
    name: 'installing and checks',
    seconds: 75,
    phases: [
      'installing',
      'format',
      'lint',
      'types',
      'dead code',
      'building',
      "size of a visitor's download",
    ],
  },
  { name: 'tests', seconds: 300, phases: ['tests'], kinds: ['tests'] },
  { name: 'journeys', seconds: 240, phases: ['journeys'], kinds: ['journeys'] },
  {
    name: 'second pass and release',
    seconds: 105,
    phases: ['second pass', 'release'],
    kinds: ['postgres', 'release'],
  },
];
const cores = 2;
/** Seconds that the fixed piece of work takes on an idle CI server. */
export const quiet = 1.2;
const says = 1.3;
const fails = 2;

/** Does the fixed piece of work, and returns its CPU seconds. */
function work() {
  const before = process.cpuUsage();
  const block = Buffer.alloc(1 << 20, 'A deal site where every claim shows its evidence. ');
  for (let round = 0; round < 12; round += 1) {
    createHash('sha256').update(block).digest();
    brotliCompressSync(block.subarray(0, 100_000));
    const words = new Map();
    for (let n = 0; n < 40_000; n += 1) words.set(`word ${n}`, { n });
    JSON.parse(JSON.stringify([...words]));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Does the work on both cores at once. Returns the cost per core, `{ seconds, processor }`. */
async function measure() {
  const start = performance.now();
  const runs = Array.from({ length: Math.min(cores, cpus().length) }, async () => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'work']);
    let text = '';
    for await (const chunk of child.stdout) text += chunk;
    return Number(text);
  });
  const processor = (await Promise.all(runs)).reduce((sum, one) => sum + one, 0) / runs.length;
  return { seconds: (performance.now() - start) / 1000, processor };
}

function file() {
  return process.env.SPENT_TIME ?? 'build/spent-time.jsonl';
}

/**
 * Returns the lines of the table, the warnings, and whether a part exceeded twice its CPU budget.
 */
export function compare(lines, budgets = parts) {
  const speeds = lines.filter((line) => line.speed).map((line) => line.speed);
  const mean = (key) => speeds.reduce((sum, speed) => sum + speed[key], 0) / speeds.length / quiet;
  const scale = {
    seconds: Math.max(1, mean('seconds')),
    processor: Math.max(1, mean('processor')),
  };
  const rows = budgets.map(({ name, seconds, phases, kinds = [] }) => {
    const spent = lines.filter((line) => phases.includes(line.name));
    const sum = (key) => spent.reduce((total, line) => total + line[key], 0);
    // Proofs beyond the usual sixth are added to the budget, because their durations are known.
    const plans = lines.filter((line) => kinds.includes(line.kind));
    const more = plans.reduce((total, line) => total + line.extraSeconds, 0) / cores;
    const budget = {
      seconds: (seconds + more) * scale.seconds,
      processor: (seconds + more) * cores * scale.processor,
    };
    return { name, seconds: sum('seconds'), processor: sum('processor'), budget };
  });
  const above = (row, times) =>
    ['seconds', 'processor'].filter((key) => row[key] > row.budget[key] * times);
  return {
    table: [
      `» budgets, for a server that needs ${scale.seconds.toFixed(2)} times the seconds and ${scale.processor.toFixed(2)} times the CPU time of an idle one`,
      ...rows.map(
        ({ name, seconds, processor, budget }) =>
          `${name.padEnd(26)}${seconds.toFixed(0).padStart(6)} of ${budget.seconds.toFixed(0)} s${processor.toFixed(0).padStart(8)} of ${budget.processor.toFixed(0)} CPU s`,
      ),
    ],
    warnings: rows.flatMap((row) =>
      above(row, says).map(
        (key) =>
          `OVER BUDGET: ${row.name} took ${(row[key] / row.budget[key]).toFixed(1)} times its ${key === 'seconds' ? 'seconds' : 'CPU seconds'}`,
      ),
    ),
    isTooMuch: rows.some((row) => above(row, fails).includes('processor')),
  };
}

async function main(verb) {
  if (verb === 'work') return process.stdout.write(`${work()}\n`);
  if (verb === 'start') rmSync(file(), { force: true });
  appendFileSync(file(), `${JSON.stringify({ speed: await measure() })}\n`);
  if (verb === 'start' || !existsSync(file())) return;
  const lines = readFileSync(file(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { table, warnings, isTooMuch } = compare(lines);
  process.stderr.write(`${[...table, ...warnings].join('\n')}\n`);
  if (isTooMuch) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]);
