// Starts everything from a fresh checkout with whatever Node (18 or newer) the machine has: installs what is
// missing, builds what is old, then hands over to the project's own Node. Needs no package itself.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  build,
  ensureBuilt,
  environment,
  exitCodeOf,
  fail,
  ownNode,
  runNow,
  say,
  tool,
} from './build-pages.mjs';
import {
  aptInstall,
  clusterPrograms,
  needPrograms,
  onPath,
  releasePrograms,
  releaseTestPrograms,
} from './debian-programs.mjs';
import { scratchFolder } from './scratch-folder.mjs';
import { noteSecondTries, showSecondTries } from './second-tries.mjs';
import { siteEnvironment, siteFlags } from './site-flags.mjs';
import { showTimes, timed } from './spent-time.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inProject = (...parts) => path.join(root, ...parts);
const isWindows = process.platform === 'win32';

const modes = {
  async start(args) {
    ensureBuilt();
    return run(ownNode, [...siteFlags(), 'server/cli.ts', 'start', ...args], {
      ...siteEnvironment(),
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
    return closing(check());
  },
  async test() {
    const browsers = findBrowsers();
    return closing(check() || journeys(browsers));
  },
  async suite(args) {
    return closing(suite(...args));
  },
  /** What a change touches, in a minute: all of it is for `npm test`. */
  async quick(args) {
    return closing(await quick(args));
  },
  async t(files) {
    if (files.length === 0) fail('Say which: npm run t -- app/platform/money.test.ts', 2);
    const isJourney = (file) => file.endsWith('.e2e.ts');
    const [seen, tests] = [files.filter(isJourney), files.filter((file) => !isJourney(file))];
    const code = tests.length > 0 ? suite(...tests) : 0;
    return closing(code || (seen.length > 0 ? journeys(findBrowsers(), ...seen) : 0));
  },
  async cluster(args) {
    if (process.getuid?.() !== 0) {
      fail('The cluster needs root on Linux: it makes machines of network namespaces.');
    }
    needPrograms('The cluster', clusterPrograms);
    timed('building', ensureBuilt);
    // A network of its own: nothing that runs there reaches this machine, or the other way.
    const apart = ['--net', '--uts', '--mount', ownNode, 'test/cluster/run-cluster.ts', ...args];
    return run('unshare', apart);
  },
  async release(args) {
    needPrograms('A release', releasePrograms);
    timed('building', ensureBuilt);
    return run(ownNode, ['bin/release/make-release.ts', ...args]);
  },
  async 'test-release'() {
    needPrograms('The test of a release', { ...releasePrograms, ...releaseTestPrograms });
    return run(ownNode, ['test/release/run-release.ts'], { TMPDIR: scratchFolder() });
  },
  async deals(args) {
    return run(ownNode, [...siteFlags(), 'server/cli.ts', ...args], {
      ...siteEnvironment(),
      NODE_ENV: process.env.NODE_ENV || 'production',
      DEALS_CALLED_FROM: process.cwd(),
    });
  },
  async bench(args) {
    return run(ownNode, [...siteFlags(), 'bench/main.ts', ...args], { NODE_ENV: 'production' });
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
  return (
    format('.') ||
    lint() ||
    types() ||
    step('dead code', [tool('knip')]) ||
    timed('building', ensureBuilt) ||
    step('size of what a visitor downloads', ['bin/size-budget.mjs']) ||
    suite()
  );
}

async function quick(args) {
  const asked = spawnSync(ownNode, ['bin/touched-tests.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
  });
  if (asked.status !== 0) return exitCodeOf(asked.status, asked.signal);
  const { changed, tests, left } = JSON.parse(asked.stdout);
  say(`${changed.length} changed files touch ${tests.length + left.length} files of tests`);
  // All of them, whatever fails: somebody waits for each answer.
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
    say(`a minute is not enough for all: ${left.length} are left for npm test, ${nearest} first`);
  }
  return codes.find((code) => code !== 0) ?? 0;
}

/** Runs commands beside each other and returns their exit codes. The output of each is shown in one piece. */
function together(...steps) {
  const start = performance.now();
  const running = steps.map(async ([name, command]) => {
    const child = spawn(ownNode, command, { cwd: root, env: environment() });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => output.push(data));
    const [code, signal] = await once(child, 'close');
    say(`${name}, after ${((performance.now() - start) / 1000).toFixed(1)} s`);
    process.stderr.write(Buffer.concat(output));
    return exitCodeOf(code, signal);
  });
  return Promise.all(running);
}

// Of what changed, not everything is theirs.
const lenient = '--no-error-on-unmatched-pattern';
// The pages' types are written for the linter, which reads types too, and for the compiler.
const typegen = () => [tool('react-router'), 'typegen'];
const format = (...files) => step('format', [tool('oxfmt'), '--check', lenient, ...files]);
const lint = (...files) => step('lint', typegen(), [tool('oxlint'), lenient, ...files]);
const types = () => step('types', typegen(), [tool('tsc'), '--noEmit']);

/** One command after another until one fails; answers its exit code. */
function step(name, ...commands) {
  say(name);
  return timed(name, () => commands.reduce((code, command) => code || runNow(ownNode, command), 0));
}

function suite(...options) {
  return runTests('tests', 'vitest.config.ts', options);
}

function journeys(browsers, ...options) {
  return runTests('journeys', 'vitest.e2e.config.ts', options, browsers);
}

/**
 * Runs the tests of one configuration. CI shares its machine with strangers: there the files that failed run once
 * more, one by one and on a fresh site. A fault fails twice; a machine that stood still does not (decision record 023).
 */
function runTests(name, config, options, more = {}) {
  timed('building', ensureBuilt);
  showSecondTries();
  say(name);
  return timed(name, () => {
    const report = inProject('build/test-run.json');
    const vitest = (...words) => {
      rmSync(report, { force: true });
      const command = [tool('vitest'), 'run', '--config', config, ...words];
      return runNow(ownNode, command, { TMPDIR: scratchFolder(), ...more });
    };
    const code = vitest(...options);
    const files = readReport(report);
    if (code === 0 || !process.env.CI) return code;
    const failed = files.filter((file) => file.hasFailed).map((file) => file.name);
    const names = failed.join(', ') || 'the whole suite: no file is to blame';
    say(`once more, one by one: ${names}`);
    const codeOfSecond = vitest('--no-file-parallelism', ...(failed.length > 0 ? failed : options));
    if (codeOfSecond === 0) {
      say(`PASSED ONLY THE SECOND TIME, find out why: ${names}`);
      noteSecondTries(failed.length > 0 ? failed : [name]);
    }
    return codeOfSecond;
  });
}

/** What `test/report-run.ts` wrote of a run; none where Vitest did not come to write it. */
function readReport(report) {
  if (!existsSync(report)) return [];
  const files = JSON.parse(readFileSync(report, 'utf8'));
  slowest.push(...files);
  return files;
}

const slowest = [];

function closing(code) {
  showTimes(slowest);
  return code;
}

// Installing ------------------------------------------------------------------------------------

function ensureInstalled() {
  if (!isInstalled()) {
    say('installing packages (npm ci)');
    const code = timed('installing', () =>
      npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']),
    );
    if (code !== 0) fail('npm ci failed; see its message above. Is the network up?', code);
  }
  if (existsSync(ownNode)) return;
  // Where npm holds back install scripts, the package has not fetched its program yet.
  say('fetching Node 24');
  npm(['rebuild', 'node', '--foreground-scripts', '--loglevel=error']);
  if (!existsSync(ownNode)) {
    fail('The package `node` came without its program. Allow its install script: npm rebuild node');
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

// The browser of the journeys -------------------------------------------------------------------

/**
 * A whole Chromium, which shows notifications, and one without a window, which needs a fifth less of the processor,
 * where there is one.
 */
function findBrowsers() {
  const isRoot = process.getuid?.() === 0;
  if (!installedBrowser() && isRoot && onPath('apt-get')) installBrowsers();
  const whole =
    installedBrowser() ??
    fail(
      'The journeys need a browser. Install Chromium (Debian and Ubuntu: sudo apt-get install chromium), or set CHROMIUM_PATH to one.',
    );
  const light = process.env.CHROMIUM_PATH ? whole : (onPath('chromium-headless-shell') ?? whole);
  return { CHROMIUM_PATH: light, WHOLE_CHROMIUM_PATH: whole };
}

function installBrowsers() {
  say('installing Chromium for the journeys (apt-get)');
  aptInstall(['chromium', 'chromium-headless-shell'], ['chromium']);
}

function installedBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return existsSync(named)
      ? named
      : fail(`CHROMIUM_PATH is ${named}, but there is no such file.`);
  }
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map(onPath)
    .find(Boolean);
}

// Running ---------------------------------------------------------------------------------------

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

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(process.argv[2], process.argv.slice(3));
}
