// `npm run quick`: checks and tests for a change, within a minute. `npm test` runs all of them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { environment, exitCodeOf, ownNode, say, tool } from './build-pages.mjs';
import { format, lenient, step, suite, typegen } from './run-tests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Checks the changed files and runs the nearest tests. `args` may name a commit to compare with.
 */
export async function quick(args) {
  const asked = spawnSync(ownNode, ['bin/touched-tests.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
  });
  if (asked.status !== 0) return exitCodeOf(asked.status, asked.signal);
  const { changed, tests, left } = JSON.parse(asked.stdout);
  say(`${changed.length} changed files affect ${tests.length + left.length} test files`);
  const sources = changed.filter((file) => /\.(?:tsx?|mjs)$/.test(file));
  const codes = [
    changed.length > 0 ? format(...changed) : 0,
    step('page types', typegen()),
    ...(await together(
      ['types', [tool('tsc'), '--noEmit']],
      ...(sources.length > 0 ? [['lint', [tool('oxlint'), lenient, ...sources]]] : []),
    )),
    suite(...tests),
  ];
  if (left.length > 0) {
    const nearest = left.slice(0, 8).join(', ');
    say(`not all fit into a minute: ${left.length} are left for npm test, ${nearest} first`);
  }
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Runs commands in parallel and returns their exit codes. The output of each command is printed as
 * a whole.
 */
function together(...steps) {
  const start = performance.now();
  const running = steps.map(async ([name, command]) => {
    const child = spawn(ownNode, command, { cwd: root, env: environment() });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => output.push(data));
    }
    const [code, signal] = await once(child, 'close');
    say(`${name}, after ${((performance.now() - start) / 1000).toFixed(1)} s`);
    process.stderr.write(Buffer.concat(output));
    return exitCodeOf(code, signal);
  });
  return Promise.all(running);
}
