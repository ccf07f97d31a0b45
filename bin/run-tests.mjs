// The steps of `npm test`, `npm run check`, `npm run prove` and their parts. Every part runs even
// if others failed, and all failures are reported at the end.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ownNode, runNow, say, tool } from './build-pages.mjs';
import { withDebianPostgres } from './debian-postgres.mjs';
import { needPrograms, releasePrograms, releaseTestPrograms } from './debian-programs.mjs';
import { findBrowsers } from './find-browsers.mjs';
import { scratchFolder } from './scratch-folder.mjs';
import { noteSecondTries, showSecondTries } from './second-tries.mjs';
import { showTimes, timed } from './spent-time.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inProject = (...parts) => path.join(root, ...parts);
const planFile = inProject('build/proof-plan.json');
const moveTest = 'database/embedded/move-cluster.test.ts';

/** Results of this run's test files, and names of its failed parts. */
const results = [];
const failedParts = [];

// Checks ----------------------------------------------------------------------------------------

/** Prevents an error if the tool supports none of the changed files. */
export const lenient = '--no-error-on-unmatched-pattern';
// Generates the pages' types, which both the linter and the compiler read.
export const typegen = () => [tool('react-router'), 'typegen'];
export const format = (...files) => step('format', [tool('oxfmt'), '--check', lenient, ...files]);
const lint = (...files) => step('lint', typegen(), [tool('oxlint'), lenient, ...files]);
const types = () => step('types', typegen(), [tool('tsc'), '--noEmit']);

/** Runs one command after another until one fails, and returns its exit code. */
export function step(name, ...commands) {
  say(name);
  const code = timed(name, () =>
    commands.reduce((done, command) => done || runNow(ownNode, command), 0),
  );
  return noted(name, code);
}

function noted(name, code) {
  if (code !== 0) failedParts.push(name);
  return code;
}

const firstFailure = (codes) => codes.find((code) => code !== 0) ?? 0;

/** Runs everything except the end-to-end tests. */
export function check() {
  const codes = [
    format('.'),
    lint(),
    types(),
    step('dead code', [tool('knip')]),
    buildStep(),
    step("size of a visitor's download", ['bin/size-budget.mjs']),
    provedSuite('tests'),
  ];
  return firstFailure(codes);
}

export function test() {
  const browsers = findBrowsers();
  return firstFailure([check(), provedSuite('journeys', { more: browsers })]);
}

/** Builds the pages. Exits if that fails, because nothing else can run without a build. */
function buildStep() {
  timed('building', ensureBuilt);
  return 0;
}

// Suites ----------------------------------------------------------------------------------------

const configs = { tests: 'vitest.config.ts', journeys: 'vitest.e2e.config.ts' };

export function suite(...options) {
  return runTests('tests', { config: configs.tests, options });
}

export function journeys(...options) {
  return runTests('journeys', { config: configs.journeys, options, more: findBrowsers() });
}

/**
 * Runs all tests of a kind except those that passed before with the same inputs. A sixth of the
 * skipped tests runs anyway (`bin/proofs.ts`). `anew` runs all tests with a fingerprint, and no
 * others.
 */
function provedSuite(kind, { anew = false, more = {} } = {}) {
  const plan = planProofs(kind, anew);
  if (plan === null) return noted(kind, 1);
  const before = results.length;
  const options = anew ? Object.keys(plan.run) : [];
  const code = runTests(kind, {
    config: configs[kind],
    options,
    more: { ...more, PROOF_PLAN: planFile },
  });
  noteProofs(results.slice(before));
  return code;
}

/** Returns the plan of `bin/proofs.ts`, or null if it failed. */
function planProofs(kind, anew) {
  const words = ['bin/proofs.ts', 'plan', kind, ...(anew ? ['--anew'] : [])];
  return runNow(ownNode, words) === 0 ? JSON.parse(readFileSync(planFile, 'utf8')) : null;
}

/**
 * Records passed tests in `test/proofs.json`. CI discards its clone, but developers who run
 * `.ci/run` may commit the file.
 */
function noteProofs(files) {
  writeFileSync(inProject('build/proof-results.json'), JSON.stringify(files));
  runNow(ownNode, ['bin/proofs.ts', 'record']);
}

/** Runs every test and writes `test/proofs.json`, for a change that is ready to be committed. */
export function prove() {
  const browsers = findBrowsers();
  timed('building', ensureBuilt);
  const anew = true;
  return firstFailure([
    provedSuite('tests', { anew }),
    provedSuite('journeys', { anew, more: browsers }),
    secondPass({ anew }),
    testRelease({ anew }),
  ]);
}

/** Repeats all tests that use the database on the installed PostgreSQL. */
export function secondPass({ anew = false } = {}) {
  // A later build by the runner would delete the plan.
  buildStep();
  const plan = planProofs('postgres', anew);
  if (plan === null) return noted('second pass', 1);
  if (Object.keys(plan.run).length === 0) return 0;
  return withDebianPostgres((url) => {
    const more = { DATABASE_URL: url, PROOF_PLAN: planFile };
    const before = results.length;
    const once = (...options) => runTests('second pass', { config: configs.tests, options, more });
    const codes = [once('--project', 'database')];
    if (plan.run[moveTest]) codes.push(once(moveTest, '-t', "the server's own PostgreSQL"));
    noteProofs(results.slice(before));
    return firstFailure(codes);
  });
}

export function testRelease({ anew = false } = {}) {
  const plan = planProofs('release', anew);
  if (plan === null) return noted('release', 1);
  if (Object.keys(plan.run).length === 0) return 0;
  needPrograms('The test of a release', { ...releasePrograms, ...releaseTestPrograms });
  const start = performance.now();
  const code = timed('release', () =>
    runNow(ownNode, ['test/release/run-release.ts'], { TMPDIR: scratchFolder() }),
  );
  const seconds = (performance.now() - start) / 1000;
  noteProofs([{ name: 'release', seconds, hasFailed: code !== 0 }]);
  return noted('release', code);
}

/**
 * Runs the tests of one configuration. CI shares its server, so failed files run once more in CI,
 * one by one and on a fresh site. A bug fails twice, but a slow server does not.
 */
function runTests(name, { config, options, more = {} }) {
  timed('building', ensureBuilt);
  showSecondTries();
  say(name);
  return timed(name, () => {
    const report = inProject('build/test-run.json');
    const vitest = (...words) => {
      rmSync(report, { force: true });
      const command = [tool('vitest'), 'run', '--config', config, ...words];
      const code = runNow(ownNode, command, { TMPDIR: scratchFolder(), ...more });
      return { code, files: readReport(report) };
    };
    const first = vitest(...options);
    if (first.code === 0 || !process.env.CI) {
      results.push(...first.files);
      return noted(name, first.code);
    }
    const failed = first.files.filter((file) => file.hasFailed && file.name);
    const failedNames = failed.map((file) => file.name);
    const names = failedNames.join(', ') || 'the whole suite: no single file failed';
    say(`once more, one by one: ${names}`);
    const again = failedNames.length > 0 ? failedNames : options;
    const second = vitest('--no-file-parallelism', ...again);
    if (second.code === 0) {
      say(`PASSED ONLY THE SECOND TIME, find out why: ${names}`);
      noteSecondTries(failedNames.length > 0 ? failedNames : [name]);
    }
    results.push(
      ...(failed.length > 0 ? first.files.filter((file) => !file.hasFailed) : []),
      ...second.files,
    );
    return noted(name, second.code);
  });
}

/** Returns the report of `test/report-run.ts`, or undefined if Vitest wrote none. */
function readReport(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
}

// The end ---------------------------------------------------------------------------------------

/** Prints the durations, the failures and the number of tests. Returns the exit code. */
export function closing(code) {
  showTimes(results);
  if (failedParts.length > 0) {
    const torn = results.filter((file) => file.hasFailed).map((file) => file.name || 'no file');
    const parts = [...new Set(failedParts)].join(', ');
    say([`FAILED: ${parts}`, ...new Set(torn)].join('\n  '));
  }
  const sum = (part) => results.reduce((total, file) => total + (file[part] ?? 0), 0);
  if (results.length > 0)
    process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return code;
}
