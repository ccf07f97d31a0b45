// Builds the pages, and checks whether the build is up to date. Used by the bootstrap, which runs
// on Node 18 or newer, and by the tests, which must never use an old build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'build/made-from');
const isWindows = process.platform === 'win32';

export const ownNode = path.join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');

export function ensureBuilt() {
  if (isBuilt()) return;
  const code = build();
  if (code !== 0) fail('The build failed; see its message above.', code);
}

function isBuilt() {
  if (!existsSync(path.join(root, 'build/server/index.js')) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === fingerprint();
}

/** Builds the pages. Returns the exit code. */
export function build() {
  say('building the pages');
  const madeFrom = fingerprint();
  const code = runNow(ownNode, [tool('react-router'), 'build', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });
  if (code === 0) {
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, madeFrom);
  }
  return code;
}

/** The folders of the pages' sources. A test rejects imports from other folders. */
export const sourceFolders = ['app', 'content', 'database', 'public'];

/** Returns a hash of the content of everything that the bundle is made from. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = sourceFolders.flatMap((folder) => filesIn(folder));
  files.push('vite.config.ts', 'react-router.config.ts', 'package.json', 'package-lock.json');
  for (const file of files.sort(byName)) {
    if (!existsSync(path.join(root, file))) continue;
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function byName(a, b) {
  return a < b ? -1 : 1;
}

function filesIn(folder) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(name);
    return /\.test\.tsx?$/.test(name) ? [] : [name];
  });
}

// Running the project's programs ----------------------------------------------------------------

export function tool(name) {
  const file = path.join(root, 'node_modules/.bin', name);
  return existsSync(file) ? file : fail(`${name} is not installed.`);
}

/** Runs a program to its end and returns its exit code. */
export function runNow(program, args, more = {}) {
  const done = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: environment(more) });
  if (done.error) fail(done.error.message);
  return exitCodeOf(done.status, done.signal);
}

/** The project's Node comes first in PATH, for every program that calls `node`. */
export function environment(more = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [path.dirname(ownNode), path.join(root, 'node_modules/.bin'), process.env[key]];
  return {
    // Programs start 25% faster with Node's compile cache, which is skipped if the folder is
    // read-only.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
    ...process.env,
    [key]: folders.filter(Boolean).join(path.delimiter),
    ...more,
  };
}

export function exitCodeOf(code, signal) {
  return signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1);
}

export function say(line) {
  process.stderr.write(`» ${line}\n`);
}

export function fail(sentence, code = 1) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}
