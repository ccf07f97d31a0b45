// Starts everything from a fresh checkout with whatever Node (18 or newer) the machine has: installs what is
// missing, builds what is old, then hands over to the project's own Node. Needs no package itself.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFlags } from './site-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inProject = (...parts) => path.join(root, ...parts);
const isWindows = process.platform === 'win32';
const ownNode = inProject('node_modules/node/bin', isWindows ? 'node.exe' : 'node');
const buildStamp = inProject('build/made-from');

const modes = {
  async start(args) {
    ensureBuilt();
    return run(ownNode, [...siteFlags, 'server/cli.ts', 'start', ...args], {
      NODE_ENV: process.env.NODE_ENV || 'production',
    });
  },
  async dev(args) {
    const node = ['--conditions=development', '--watch-path=server', '--watch-preserve-output'];
    return run(ownNode, [...node, 'server/cli.ts', 'start', ...args], { NODE_ENV: 'development' });
  },
  async build() {
    return build();
  },
  async check() {
    return check();
  },
  async test() {
    const browser = findBrowser();
    const failed = check();
    if (failed !== 0) return failed;
    say('journeys in a real browser');
    return runSuite('vitest.e2e.config.ts', { CHROMIUM_PATH: browser });
  },
  async suite() {
    return runSuite('vitest.config.ts');
  },
  async deals(args) {
    return run(ownNode, [...siteFlags, 'server/cli.ts', ...args], {
      NODE_ENV: process.env.NODE_ENV || 'production',
      DEALS_CALLED_FROM: process.cwd(),
    });
  },
  async bench(args) {
    return run(ownNode, [...siteFlags, 'bench/main.ts', ...args]);
  },
  async run([program, ...args]) {
    if (!program) fail('Say what to run: node bin/bootstrap.mjs run oxfmt --write .');
    return run(program, args);
  },
};

export async function main(mode, args) {
  const start = Object.hasOwn(modes, mode ?? '') ? modes[mode] : undefined;
  if (!start) fail(`Usage: node bin/bootstrap.mjs ${Object.keys(modes).join(' | ')}`, 2);
  ensureInstalled();
  if (mode === 'deals' && args[0] === 'start') ensureBuilt();
  process.exitCode = await start(args);
}

function check() {
  const steps = [
    ['format', [tool('oxfmt'), '--check', '.']],
    // The linter reads types too, those of the pages among them.
    ['lint', [tool('react-router'), 'typegen'], [tool('oxlint')]],
    ['types', [tool('tsc'), '--noEmit']],
    ['dead code', [tool('knip')]],
  ];
  ensureBuilt(); // page tests run the built pages
  steps.push(['size of what a visitor downloads', ['bin/size-budget.mjs']]);
  for (const [name, ...commands] of steps) {
    say(name);
    for (const command of commands) {
      const code = runNow(ownNode, command);
      if (code !== 0) return code;
    }
  }
  say('tests');
  return runSuite('vitest.config.ts');
}

/**
 * Runs the tests of one configuration. CI shares its machine with strangers: there the files that failed run once
 * more, one by one and on a fresh site. A fault fails twice; a machine that stood still does not (decision record 023).
 */
function runSuite(config, more = {}) {
  const vitest = (...options) =>
    runNow(ownNode, [tool('vitest'), 'run', '--config', config, ...options], more);
  if (!process.env.CI) return vitest();
  const report = inProject('build/test-report.json');
  rmSync(report, { force: true });
  const code = vitest('--reporter=default', '--reporter=json', `--outputFile.json=${report}`);
  if (code === 0) return code;
  const failed = failedFiles(report);
  const names = failed.join(', ') || 'the whole suite: no file is to blame';
  say(`once more, one by one: ${names}`);
  const codeOfSecond = vitest('--no-file-parallelism', ...failed);
  if (codeOfSecond === 0) say(`PASSED ONLY THE SECOND TIME, find out why: ${names}`);
  return codeOfSecond;
}

/** Of a report that Vitest wrote; none where a fault belongs to no file, or Vitest did not come to write one. */
function failedFiles(report) {
  if (!existsSync(report)) return [];
  return JSON.parse(readFileSync(report, 'utf8'))
    .testResults.filter((file) => file.status === 'failed')
    .map((file) => path.relative(root, file.name));
}

// Installing ------------------------------------------------------------------------------------

function ensureInstalled() {
  if (!isInstalled()) {
    say('installing packages (npm ci)');
    const code = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) fail('npm ci failed; its message stands above. Is the network up?', code);
  }
  if (existsSync(ownNode)) return;
  // Where npm holds back install scripts, the package has not fetched its program yet.
  say('fetching Node 24');
  npm(['rebuild', 'node', '--foreground-scripts', '--loglevel=error']);
  if (!existsSync(ownNode)) {
    fail('The package `node` brought no program. Allow its install script: npm rebuild node');
  }
}

/** Compares what is installed with the lock file by content; times of files say nothing after a checkout. */
function isInstalled() {
  try {
    const wanted = readPackages('package-lock.json');
    const found = readPackages('node_modules/.package-lock.json');
    return Object.entries(wanted).every(([name, { version, optional, devOptional }]) =>
      found[name]
        ? found[name].version === version
        : name === '' || optional === true || devOptional === true,
    );
  } catch {
    return false;
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(inProject(file), 'utf8')).packages;
}

function npm(args) {
  const cli = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 2, 2], env: environment() };
  // NODE_ENV=production would leave out what the build needs.
  delete options.env.NODE_ENV;
  const done =
    cli && /npm-cli\.c?js$/.test(cli)
      ? spawnSync(process.execPath, [cli, ...args], options)
      : spawnSync('npm', args, { ...options, shell: isWindows });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  return done.status ?? 1;
}

// Building --------------------------------------------------------------------------------------

function ensureBuilt() {
  const isBuilt = existsSync(inProject('build/server/index.js'));
  if (isBuilt && existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === fingerprint())
    return;
  const code = build();
  if (code !== 0) fail('The build failed; its message stands above.', code);
}

function build() {
  say('building the pages');
  const madeFrom = fingerprint();
  const code = runNow(ownNode, [tool('react-router'), 'build', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });
  if (code === 0) {
    mkdirSync(path.dirname(buildStamp), { recursive: true });
    writeFileSync(buildStamp, madeFrom);
  }
  return code;
}

/** Of everything the bundle is made from, by content. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = ['app', 'public', 'database'].flatMap((folder) => filesIn(folder));
  files.push('vite.config.ts', 'bin/class-name-constants.ts', 'react-router.config.ts');
  files.push('package.json', 'package-lock.json');
  for (const file of files.sort(byName)) {
    if (!existsSync(inProject(file))) continue;
    const content = readFileSync(inProject(file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function byName(a, b) {
  return a < b ? -1 : 1;
}

function filesIn(folder) {
  if (!existsSync(inProject(folder))) return [];
  return readdirSync(inProject(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(name);
    return /\.test\.tsx?$/.test(name) ? [] : [name];
  });
}

// The browser of the journeys -------------------------------------------------------------------

function findBrowser() {
  const found = installedBrowser();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && onPath('apt-get')) {
    say('installing Chromium for the journeys (apt-get)');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status;
    if (apt('update') === 0) apt('install', '-y', '--no-install-recommends', 'chromium');
  }
  return (
    installedBrowser() ??
    fail(
      'The journeys need a browser. Install Chromium (Debian and Ubuntu: sudo apt-get install chromium), or set CHROMIUM_PATH to one.',
    )
  );
}

function installedBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return existsSync(named)
      ? named
      : fail(`CHROMIUM_PATH is ${named}, and there is no such file.`);
  }
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map(onPath)
    .find(Boolean);
}

function onPath(program) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

// Running ---------------------------------------------------------------------------------------

function tool(name) {
  const file = inProject('node_modules', '.bin', name);
  return existsSync(file) ? file : fail(`${name} is not installed.`);
}

/** The project's Node before the machine's, for every program that asks for `node`. */
function environment(more = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [path.dirname(ownNode), inProject('node_modules/.bin'), process.env[key]];
  return { ...process.env, [key]: folders.filter(Boolean).join(path.delimiter), ...more };
}

function runNow(program, args, more = {}) {
  const done = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: environment(more) });
  if (done.error) fail(done.error.message);
  return exitCodeOf(done.status, done.signal);
}

/** Runs a program that may stay for long: signals go through to it, its exit code comes back. */
function run(program, args, more = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: environment(more) });
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      process.on(signal, () => {
        // The terminal gives Ctrl+C to the child as well as to us: it must not count twice.
        if (signal === 'SIGINT' && process.stdin.isTTY) return;
        child.kill(signal);
      });
    }
    child.on('error', (error) => fail(`${program} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}

function exitCodeOf(code, signal) {
  return signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1);
}

function say(line) {
  process.stderr.write(`» ${line}\n`);
}

function fail(sentence, code = 1) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(process.argv[2], process.argv.slice(3));
}
