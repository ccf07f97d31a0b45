// Runs any command from a fresh checkout with the installed Node (18 or newer). Installs missing
// packages, builds what is outdated, then runs the command with the project's own Node. This script
// requires no packages.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, ensureBuilt, environment, exitCodeOf, fail, ownNode, say } from './build-pages.mjs';
import { clusterPrograms, needPrograms, releasePrograms } from './debian-programs.mjs';
import { quick } from './quick.mjs';
import {
  check,
  closing,
  journeys,
  prove,
  secondPass,
  suite,
  test,
  testRelease,
} from './run-tests.mjs';
import { siteEnvironment, siteFlags } from './site-flags.mjs';
import { timed } from './spent-time.mjs';

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
    return closing(test());
  },
  /** Repeats every proof that a normal run may skip. */
  async prove() {
    return closing(prove());
  },
  async 'second-pass'() {
    return closing(secondPass());
  },
  async suite(args) {
    return closing(suite(...args));
  },
  /** Tests a change within a minute. `npm test` runs all tests. */
  async quick(args) {
    return closing(await quick(args));
  },
  async t(files) {
    if (files.length === 0) fail('Name a test file: npm run t -- app/platform/money.test.ts', 2);
    const isJourney = (file) => file.endsWith('.e2e.ts');
    const [seen, tests] = [files.filter(isJourney), files.filter((file) => !isJourney(file))];
    const code = tests.length > 0 ? suite(...tests) : 0;
    return closing(code || (seen.length > 0 ? journeys(...seen) : 0));
  },
  async cluster(args) {
    if (process.getuid?.() !== 0) {
      fail('The cluster needs root on Linux, since its machines are network namespaces.');
    }
    needPrograms('The cluster', clusterPrograms);
    timed('building', ensureBuilt);
    // Isolates a network from this server in both directions.
    const apart = ['--net', '--uts', '--mount', ownNode, 'test/cluster/run-cluster.ts', ...args];
    return run('unshare', apart);
  },
  async release(args) {
    needPrograms('A release', releasePrograms);
    timed('building', ensureBuilt);
    return run(ownNode, ['bin/release/make-release.ts', ...args]);
  },
  async 'test-release'([word]) {
    return closing(testRelease({ anew: word !== '--unless-proved' }));
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
    if (!program) fail('Name a program: node bin/bootstrap.mjs run oxfmt --write .');
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

// Installing ------------------------------------------------------------------------------------

function ensureInstalled() {
  if (!isInstalled()) {
    say('installing packages (npm ci)');
    const code = timed('installing', () =>
      npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']),
    );
    if (code !== 0) fail('npm ci failed; see its message above, and check the network.', code);
  }
  if (existsSync(ownNode)) return;
  // If npm blocks install scripts, the package has not downloaded Node yet.
  say('fetching Node 24');
  npm(['rebuild', 'node', '--foreground-scripts', '--loglevel=error']);
  if (!existsSync(ownNode)) {
    fail('The package `node` contains no Node binary. Run its install script: npm rebuild node');
  }
}

/**
 * Compares the installation with the lock file by content, since file times are meaningless after a
 * checkout.
 */
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
  // NODE_ENV=production would omit packages that the build needs.
  delete options.env.NODE_ENV;
  const done =
    cli && /npm-cli\.c?js$/.test(cli)
      ? spawnSync(process.execPath, [cli, ...args], options)
      : spawnSync('npm', args, { ...options, shell: isWindows });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  return done.status ?? 1;
}

// Running ---------------------------------------------------------------------------------------

/** Runs a long-running program. Forwards signals to it and returns its exit code. */
function run(program, args, more = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: environment(more) });
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      process.on(signal, () => {
        // The terminal also sends Ctrl+C to the child, so the signal must not count twice.
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
