// Decides which proofs run: those whose inputs changed since they last passed, and a sixth of the
// others.
//   node bin/proofs.ts plan KIND [--anew]   writes build/proof-plan.json and prints a summary
//   node bin/proofs.ts record               updates test/proofs.json from build/proof-results.json
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ProofInputs } from '#test/proof-inputs.ts';
import { proofEntries, type ProofKind, proofKinds } from '#test/proof-entries.ts';

export interface Proof {
  inputs: string;
  /** The day on which the proof passed, such as 2026-11-26. */
  date: string;
  seconds: number;
}

type Proofs = Record<string, Proof>;

export interface Plan {
  kind: ProofKind;
  /** Fingerprints of the proofs to run, by name. */
  run: Record<string, string>;
  /** Names of the proofs that are skipped. */
  trusted: string[];
  /**
   * Worker seconds, estimated from the last durations, that this run needs beyond a sixth of the
   * unchanged proofs: for proofs with changed inputs, and for a long unchanged proof.
   */
  extraSeconds: number;
}

const root = path.resolve(import.meta.dirname, '..');
const recordFile = path.join(root, 'test/proofs.json');
const planFile = path.join(root, 'build/proof-plan.json');
const shares = 6;
/** seconds; the assumed duration of a proof that never ran */
const usualSeconds = 10;

/** Chooses the proofs to run. `share`, 0 to 5, selects the sixth of the unchanged proofs to run. */
export function makePlan(
  kind: ProofKind,
  fingerprints: ReadonlyMap<string, string>,
  proofs: Proofs,
  share: number | 'all',
): Plan {
  const names = [...fingerprints.keys()];
  const isProved = (name: string) => proofs[`${kind} ${name}`]?.inputs === fingerprints.get(name);
  const secondsOf = (name: string) => proofs[`${kind} ${name}`]?.seconds ?? usualSeconds;
  const proved = names.filter(isProved);
  const due = share === 'all' ? proved : (shareOut(proved, secondsOf)[share] ?? []);
  const changed = names.filter((name) => !isProved(name));
  const run = names.filter((name) => changed.includes(name) || due.includes(name));
  const total = (of: readonly string[]) => of.reduce((sum, name) => sum + secondsOf(name), 0);
  return {
    kind,
    run: Object.fromEntries(run.map((name) => [name, fingerprints.get(name) ?? ''])),
    trusted: proved.filter((name) => !due.includes(name)),
    extraSeconds: total(changed) + Math.max(0, total(due) - total(proved) / shares),
  };
}

/** Distributes the names over six shares of about the same duration. */
function shareOut(names: readonly string[], secondsOf: (name: string) => number): string[][] {
  const piles = Array.from({ length: shares }, () => ({ seconds: 0, names: [] as string[] }));
  for (const name of names.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const least = piles.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.names.push(name);
    least.seconds += secondsOf(name);
  }
  return piles.map((pile) => pile.names);
}

function writePlan(kind: ProofKind, anew: boolean): void {
  const inputs = new ProofInputs();
  const entries = Object.entries(proofEntries(kind));
  const fingerprints = new Map(entries.map(([name, files]) => [name, inputs.fingerprint(files)]));
  const proofs = readProofs();
  const made = makePlan(kind, fingerprints, proofs, anew ? 'all' : shareOfCommit());
  mkdirSync(path.dirname(planFile), { recursive: true });
  writeFileSync(planFile, JSON.stringify(made));
  const { SPENT_TIME } = process.env;
  const { extraSeconds } = made;
  if (SPENT_TIME) appendFileSync(SPENT_TIME, `${JSON.stringify({ kind, extraSeconds })}\n`);
  const count = Object.keys(made.run).length;
  console.error(`» ${kind}: ${count} proofs run, ${made.trusted.length} are skipped`);
  const dates = Map.groupBy(made.trusted, (name) => proofs[`${kind} ${name}`]?.date ?? '');
  for (const [date, names] of dates) {
    const shown = names.length > 30 ? `${names.length} files` : names.join(', ');
    console.error(`  passed on ${date} with the same inputs: ${shown}`);
  }
}

/** A commit always has the same share, and the next commit probably has a different one. */
function shareOfCommit(): number {
  try {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
    return Number.parseInt(head.slice(0, 8), 16) % shares;
  } catch {
    return 0;
  }
}

interface Result {
  name: string;
  seconds: number;
  hasFailed: boolean;
}

/**
 * Returns the recorded proofs after a run. The line of an unchanged proof stays the same, unless
 * everything ran again.
 */
export function noteResults(
  plan: Plan,
  proofs: Proofs,
  results: readonly Result[],
  date: string,
): Proofs {
  const { kind, run, trusted } = plan;
  const noted = new Map(Object.entries(proofs));
  const known = new Set([...Object.keys(run), ...trusted].map((name) => `${kind} ${name}`));
  for (const key of Object.keys(proofs)) {
    if (key.startsWith(`${kind} `) && !known.has(key)) noted.delete(key);
  }
  for (const [name, inputs] of Object.entries(run)) {
    const key = `${kind} ${name}`;
    const of = results.filter((result) => result.name === name);
    if (of.length === 0) continue;
    if (of.some((result) => result.hasFailed)) noted.delete(key);
    else if (trusted.length === 0 || noted.get(key)?.inputs !== inputs) {
      const seconds = of.reduce((sum, result) => sum + result.seconds, 0);
      noted.set(key, { inputs, date, seconds: Math.round(seconds * 10) / 10 });
    }
  }
  return Object.fromEntries([...noted].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function record(): void {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  const results = read('build/proof-results.json') as Result[];
  const noted = noteResults(read('build/proof-plan.json') as Plan, readProofs(), results, today);
  const lines = Object.entries(noted).map(
    ([name, proof]) => `  ${JSON.stringify(name)}: ${JSON.stringify(proof)}`,
  );
  writeFileSync(recordFile, `{\n${lines.join(',\n')}\n}\n`);
}

function readProofs(): Proofs {
  return existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as Proofs) : {};
}

if (import.meta.main) {
  const [verb, ...words] = process.argv.slice(2);
  const kind = proofKinds.find((one) => one === words[0]);
  if (verb === 'plan' && kind) writePlan(kind, words.includes('--anew'));
  else if (verb === 'record') record();
  else throw new Error('Usage: node bin/proofs.ts plan KIND [--anew] | record');
}
