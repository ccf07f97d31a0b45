// A test that passes in CI only on the second try is a bug until its cause is known. Such tests are
// recorded beside the tests and listed first in every run. A commit removes the record with a line
// that names the cause:
//   Second try of app/features/webhooks/webhooks.test.ts: a delivery in flight was noted as cancelled
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL('../test/second-tries.json', import.meta.url));

/** Deletes entries that a commit has explained, and prints the others. */
export function showSecondTries() {
  const known = read();
  const left = known.filter((one) => !isExplained(one));
  if (left.length < known.length) write(left);
  for (const { name, commit, date } of left) {
    process.stderr.write(
      `» ${name} PASSED ONLY THE SECOND TIME (${date}, ${commit.slice(0, 7)}): find the cause, and name it in a commit: "Second try of ${name}: …"\n`,
    );
  }
}

export function noteSecondTries(names) {
  const commit = git('rev-parse', 'HEAD').trim();
  const date = new Date().toISOString().slice(0, 10);
  const others = read().filter((one) => !names.includes(one.name));
  write([...others, ...names.map((name) => ({ name, commit, date }))]);
}

function isExplained({ name, commit }) {
  return git('log', '--format=%B', `${commit}..HEAD`)
    .split('\n')
    .some((line) => line.startsWith(`Second try of ${name}: `));
}

function read() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function write(tries) {
  if (tries.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${JSON.stringify(tries, null, 2)}\n`);
}

/** Returns git's output, which is empty if there is no git or the commit is not in this clone. */
function git(...words) {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout ?? '';
}
