import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let root = '';
const inRoot = (...parts: string[]) => path.join(root, ...parts);

/** A project as after `npm ci`, whose tools only record their calls. */
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'deal-hub-bootstrap-'));
  for (const folder of ['bin', 'app', 'node_modules/node/bin', 'node_modules/.bin', 'server']) {
    await mkdir(inRoot(folder), { recursive: true });
  }
  for (const file of await readdir(import.meta.dirname)) {
    if (file.endsWith('.mjs')) {
      await copyFile(path.join(import.meta.dirname, file), inRoot('bin', file));
    }
  }
  await symlink(process.execPath, inRoot('node_modules/node/bin/node'));
  await write('package.json', '{"type":"module"}');
  await lock({ kysely: '1.0.0' }, { kysely: '1.0.0' });
  await write('app/root.tsx', 'export {}');
  const noteBuild = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
    appendFileSync('calls', 'build\\n');
    mkdirSync('build/server', { recursive: true });
    writeFileSync('build/server/index.js', '');`;
  await write('node_modules/.bin/react-router', noteBuild);
  await write(
    'server/cli.ts',
    `console.log(JSON.stringify({ words: process.argv.slice(2), env: process.env.NODE_ENV, from: process.env.DEALS_CALLED_FROM }));`,
  );
  await write(
    'npm-cli.js',
    `import { appendFileSync } from 'node:fs';
     appendFileSync('calls', 'npm ' + process.argv.slice(2).join(' ') + ' NODE_ENV=' + process.env.NODE_ENV + '\\n');
     process.exit(Number(process.env.NPM_ANSWERS ?? 0));`,
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFile(inRoot(file), text);

async function lock(wanted: Record<string, string>, found: Record<string, string>) {
  const packages = (versions: Record<string, string>) =>
    JSON.stringify({
      packages: {
        '': {},
        ...Object.fromEntries(
          Object.entries(versions).map(([name, version]) => [
            `node_modules/${name.replace('?', '')}`,
            { version, ...(name.endsWith('?') ? { optional: true } : {}) },
          ]),
        ),
      },
    });
  await write('package-lock.json', packages(wanted));
  await write('node_modules/.package-lock.json', packages(found));
}

async function bootstrap(
  words: string[],
  env: Record<string, string> = {},
  file = 'bootstrap.mjs',
) {
  const { NODE_ENV: _env, SPENT_TIME: _times, ...environment } = process.env;
  const child = spawn(process.execPath, [inRoot('bin', file), ...words], {
    cwd: tmpdir(),
    env: { ...environment, npm_execpath: inRoot('npm-cli.js'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const calls = () => readFile(inRoot('calls'), 'utf8').catch(() => '');

describe('the command', () => {
  test('accepts only known modes, and otherwise lists them and exits with 2', async () => {
    for (const words of [[], ['strat'], ['constructor']]) {
      const said = await bootstrap(words);
      expect(said.code).toBe(2);
      expect(said.err).toMatch(/^Usage: node bin\/bootstrap\.mjs start \| dev \| build \|/);
    }
    expect(await calls()).toBe('');
  });

  test('passes arguments to a program and returns its exit code', async () => {
    const said = await bootstrap(['run', 'node', '-e', 'console.log("ran"); process.exit(7)']);
    expect(said).toMatchObject({ code: 7, out: 'ran\n' });
    expect((await bootstrap(['run'])).code).toBe(1);
  });

  test('returns the same exit code as a shell for a program killed by a signal', async () => {
    const said = await bootstrap(['run', 'node', '-e', 'process.kill(process.pid, "SIGTERM")']);
    expect(said.code).toBe(128 + 15);
  });

  test('reports a missing program', async () => {
    const said = await bootstrap(['run', 'no-such-program']);
    expect(said.code).toBe(1);
    expect(said.err).toContain('no-such-program could not be started');
  });

  test('prefers the project’s own tools and Node to those of the system', async () => {
    await write('node_modules/.bin/own-tool', '#!/bin/sh\necho the own tool');
    await chmod(inRoot('node_modules/.bin/own-tool'), 0o755);
    expect((await bootstrap(['run', 'own-tool'])).out).toBe('the own tool\n');
    const where = await bootstrap(['run', 'node', '-p', 'process.env.PATH.split(":")[0]']);
    expect(where.out.trim()).toBe(inRoot('node_modules/node/bin'));
  });
});

describe('installing', () => {
  test('skips the installation if everything is installed', async () => {
    await bootstrap(['run', 'node', '-e', '0']);
    expect(await calls()).toBe('');
  });

  test.each([
    ['another version', { kysely: '1.0.0' }, { kysely: '0.9.0' }],
    ['a missing package', { kysely: '1.0.0', pg: '8.0.0' }, { kysely: '1.0.0' }],
  ])('installs everything that the build needs for %s', async (_name, wanted, found) => {
    await lock(wanted, found);
    const said = await bootstrap(['run', 'node', '-e', '0'], { NODE_ENV: 'production' });
    expect(said.code).toBe(0);
    expect(said.err).toContain('installing packages');
    expect(await calls()).toMatch(/^npm ci .*NODE_ENV=undefined\n$/);
  });

  test('ignores packages for other platforms when it decides about an installation', async () => {
    await lock({ kysely: '1.0.0', 'binary-for-another-system?': '1.0.0' }, { kysely: '1.0.0' });
    await bootstrap(['run', 'node', '-e', '0']);
    expect(await calls()).toBe('');
  });

  test('exits with an explanation and npm’s own code if the installation fails', async () => {
    await rm(inRoot('node_modules/.package-lock.json'));
    const said = await bootstrap(['run', 'node', '-e', 'console.log("ran")'], { NPM_ANSWERS: '3' });
    expect(said.code).toBe(3);
    expect(said.err).toContain('npm ci failed');
    expect(said.out).toBe('');
  });

  test('downloads the project’s Node if npm blocked it', async () => {
    await rm(inRoot('node_modules/node/bin/node'));
    const said = await bootstrap(['run', 'node', '-e', '0']);
    expect(await calls()).toMatch(/^npm rebuild node /);
    expect(said.code).toBe(1);
    expect(said.err).toContain('npm rebuild node');
  });
});

describe('building', () => {
  test('builds the pages at the first start, and again only when the sources change', async () => {
    const first = await bootstrap(['start', '--port', '3001']);
    expect(JSON.parse(first.out)).toMatchObject({
      words: ['start', '--port', '3001'],
      env: 'production',
    });
    expect(await calls()).toBe('build\n');
    await bootstrap(['start']);
    expect(await calls()).toBe('build\n');

    await write('app/root.test.ts', 'tests are not part of it');
    await bootstrap(['start']);
    expect(await calls()).toBe('build\n');

    await write('app/root.tsx', 'export const changed = 1');
    await bootstrap(['start']);
    expect(await calls()).toBe('build\nbuild\n');
  });

  test('builds the pages again when the build itself changes', async () => {
    await bootstrap(['start']);
    await write('vite.config.ts', 'export default { changed: 1 }');
    await bootstrap(['start']);
    expect(await calls()).toBe('build\nbuild\n');
  });

  test('does not start a program if the build fails', async () => {
    await write('node_modules/.bin/react-router', 'process.exit(4)');
    const said = await bootstrap(['start']);
    expect(said.code).toBe(4);
    expect(said.err).toContain('The build failed');
    expect(said.out).toBe('');
  });
});

describe('a suite of tests', () => {
  /**
   * A fake test runner that takes its results from the lines of `answers`, one per run: the exit
   * code and the failed files.
   */
  async function runs(...answers: { code: number; failed?: string[] }[]) {
    await mkdir(inRoot('test'), { recursive: true });
    await write('answers.json', JSON.stringify(answers));
    await write(
      'node_modules/.bin/vitest',
      `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
       appendFileSync('calls', 'vitest ' + process.argv.slice(2).join(' ') + '\\n');
       const [{ code, failed }, ...rest] = JSON.parse(readFileSync('answers.json', 'utf8'));
       writeFileSync('answers.json', JSON.stringify(rest));
       if (failed) {
         const files = ['app/sound.test.ts', ...failed].map((name, index) => ({
           name,
           seconds: index + 1,
           hasFailed: failed.includes(name),
           passed: 3,
           failed: failed.includes(name) ? 1 : 0,
         }));
         writeFileSync('build/test-run.json', JSON.stringify(files));
       }
       process.exit(code);`,
    );
  }
  const first = 'build\nvitest run --config vitest.config.ts\n';
  const again = 'vitest run --config vitest.config.ts\n';
  const second = 'vitest run --config vitest.config.ts --no-file-parallelism';
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  test('runs a test suite only once if it passes, or if it fails outside CI', async () => {
    await runs({ code: 0, failed: [] });
    expect((await bootstrap(['suite'], { CI: 'true' })).code).toBe(0);
    await runs({ code: 1, failed: ['app/torn.test.ts'] });
    expect((await bootstrap(['suite'], { CI: '' })).code).toBe(1);
    expect(await calls()).toBe(first + again);
  });

  test('never tests an outdated build: rebuilds first, or runs nothing', async () => {
    await runs({ code: 0, failed: [] }, { code: 0, failed: [] });
    await bootstrap(['suite']);
    await write('app/root.tsx', 'throw new Error()');
    await bootstrap(['t', 'app/root.test.ts']);
    expect(await calls()).toBe(`${first}build\n${again.trim()} app/root.test.ts\n`);
    await write('app/root.tsx', 'export {}');
    await write('node_modules/.bin/react-router', 'process.exit(4)');
    expect((await bootstrap(['suite'])).code).toBe(4);
    expect(await calls()).toBe(`${first}build\n${again.trim()} app/root.test.ts\n`);
  });

  test('accepts a filter when running tests, such as the database tests', async () => {
    await runs({ code: 1, failed: [] }, { code: 0 });
    await bootstrap(['suite', '--project', 'database'], { CI: 'true' });
    expect(await calls()).toBe(
      `${first.trim()} --project database\n${second} --project database\n`,
    );
  });

  test('prints the durations of a suite’s parts and of the slowest files at the end', async () => {
    await runs({ code: 0, failed: ['app/slow.test.ts'] });
    const { err } = await bootstrap(['suite']);
    expect(err).toMatch(/» where the time went\n +\d+\.\d s  building\n +\d+\.\d s  tests\n/);
    expect(err).toMatch(
      /» the slowest files\n +2\.0 s  app\/slow\.test\.ts\n +1\.0 s  app\/sound\.test\.ts\n$/,
    );
  });

  test('retries failed test files once in CI, and reports those that pass on the retry', async () => {
    await runs({ code: 1, failed: ['app/torn.test.ts'] }, { code: 0 });
    const said = await bootstrap(['suite'], { CI: 'true' });
    expect(said.code).toBe(0);
    expect(await calls()).toBe(`${first}${second} app/torn.test.ts\n`);
    expect(said.err).toContain('PASSED ONLY THE SECOND TIME, find out why: app/torn.test.ts');
  });

  test('starts with the tests that passed only on a retry, until a commit names the cause', async () => {
    const torn = 'app/torn.test.ts PASSED ONLY THE SECOND TIME';
    git('init', '-q');
    git('commit', '--allow-empty', '-qm', 'Before');
    await runs({ code: 1, failed: ['app/torn.test.ts'] }, { code: 0 });
    await bootstrap(['suite'], { CI: 'true' });
    expect(await readFile(inRoot('test/second-tries.json'), 'utf8')).toContain('app/torn.test.ts');

    git('commit', '--allow-empty', '-qm', 'Mend app/torn.test.ts');
    await runs({ code: 0, failed: [] });
    expect((await bootstrap(['suite'])).err).toContain(torn);

    git('commit', '--allow-empty', '-qm', 'Wait\n\nSecond try of app/torn.test.ts: no wait.');
    await runs({ code: 0, failed: [] });
    expect((await bootstrap(['suite'])).err).not.toContain(torn);
    expect(await readdir(inRoot('test'))).toEqual([]);
  });

  test('runs the end-to-end tests even if others failed, and reports all failures at the end', async () => {
    for (const tool of ['oxfmt', 'oxlint', 'tsc', 'knip']) {
      await write(`node_modules/.bin/${tool}`, tool === 'tsc' ? 'process.exit(2)' : '');
    }
    await write('bin/size-budget.mjs', '');
    await write(
      'bin/proofs.ts',
      `import { writeFileSync } from 'node:fs';
       writeFileSync('build/proof-plan.json', JSON.stringify({ run: {}, trusted: [] }));`,
    );
    await runs({ code: 1, failed: ['app/torn.test.ts'] }, { code: 0, failed: [] });
    const env = { CI: '', CHROMIUM_PATH: process.execPath };
    const { code, err, out } = await bootstrap(['test'], env);
    expect(code).toBe(2);
    expect(await calls()).toContain(`${again}vitest run --config vitest.e2e.config.ts`);
    expect(err).toMatch(/» FAILED: types, tests\n {2}app\/torn\.test\.ts\n$/);
    expect(out).toMatch(/\n9 passed, 1 failed\n$/);
  });

  test('fails the test run if the retry fails too', async () => {
    await runs({ code: 1, failed: ['app/torn.test.ts'] }, { code: 1 });
    const said = await bootstrap(['suite'], { CI: 'true' });
    expect(said.code).toBe(1);
    expect(said.err).not.toContain('PASSED');
    expect(await readdir(inRoot('test'))).toEqual([]);
  });

  test.each([
    ['an error outside any file', { code: 1, failed: [] }],
    ['a runner that ends before reporting', { code: 134 }],
  ])('runs the whole suite once more for %s', async (_name, answer) => {
    await runs(answer, { code: 0 });
    expect((await bootstrap(['suite'], { CI: 'true' })).code).toBe(0);
    expect(await calls()).toBe(`${first}${second}\n`);
  });
});

describe('deals', () => {
  test('runs a `deals` command without a build, from any folder', async () => {
    const said = await bootstrap(['mail', 'list'], {}, 'deals.mjs');
    expect(JSON.parse(said.out)).toMatchObject({ words: ['mail', 'list'] });
    expect(JSON.parse(said.out).from).toBe(await realTmp());
    expect(await calls()).toBe('');
  });

  test('builds the pages first if a `deals` command starts the site', async () => {
    await bootstrap(['start'], {}, 'deals.mjs');
    expect(await calls()).toBe('build\n');
  });

  test('keeps NODE_ENV for a `deals` command', async () => {
    const said = await bootstrap(['doctor'], { NODE_ENV: 'development' }, 'deals.mjs');
    expect(JSON.parse(said.out)).toMatchObject({ env: 'development' });
  });
});

async function realTmp(): Promise<string> {
  return (await import('node:fs/promises')).realpath(tmpdir());
}
