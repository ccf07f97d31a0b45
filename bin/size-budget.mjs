// Fails if a page makes its visitor load more than its budget, so that every increase is
// deliberate.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const kilobyte = 1000;
/**
 * Budgets in gzipped bytes for one page with everything it needs. Visitor pages share one script,
 * account pages share two.
 */
const budgets = {
  untouched: 6 * kilobyte,
  searched: 85 * kilobyte,
  account: 25 * kilobyte,
  signingIn: 95 * kilobyte,
  notified: 110 * kilobyte,
  styles: 20 * kilobyte,
  font: 55 * kilobyte,
};
/** The chunks that load when a visitor focuses the search box. */
const searchChunks = ['react', 'search-box'];
const signInChunks = ['react', 'credential-islands'];
/** The list of price alerts loads the notifications switch without any interaction. */
const alertChunks = ['react', 'push-switch'];

const client = fileURLToPath(new URL('../build/client/', import.meta.url));
const files = readdirSync(path.join(client, 'assets'));
const textOf = (name) => readFileSync(path.join(client, 'assets', name), 'latin1');
const nameOf = (address) => path.posix.basename(address).split('#')[0];

const manifest = files.find((name) => /^manifest-[0-9a-f]+\.js$/.test(name));
const { entry, routes } = JSON.parse(
  textOf(manifest)
    .replace(/^[^{]*/, '')
    .replace(/;?\s*$/, ''),
);

let isOver = false;
const start = nameOf(entry.module);
// The service worker loads after the five seconds that are measured here.
const untouched = withImports([start]);
const searched = [...untouched, ...withImports(searchChunks.map(chunkOf))];
report('script of a visitor page before any interaction', untouched, budgets.untouched);
report('script of a visitor page whose search is used', searched, budgets.searched);
const account = [...untouched, ...withImports([chunkOf('start-account')])];
report('script of an account page before any interaction', account, budgets.account);
report(
  'script of the sign-in page whose form is used',
  [...account, ...withImports(signInChunks.map(chunkOf))],
  budgets.signingIn,
);
report(
  'script of the price alerts of an account',
  [...account, ...withImports(alertChunks.map(chunkOf))],
  budgets.notified,
);
for (const page of Object.values(routes)) {
  const isAccount = page.parentId === 'storefront/chrome/account-layout';
  if (!isAccount && page.parentId !== 'storefront/chrome/site-layout') continue;
  const chain = [routes.root, routes[page.parentId], page];
  // The root document links the base stylesheet itself, so the manifest does not list it.
  const base = files.filter((name) => /^base-.*\.css$/.test(name));
  const sheets = chain.flatMap(({ css = [] }) => css.map(nameOf));
  report(`styles of ${page.id}`, [...base, ...sheets], budgets.styles);
}
// Each font of the brand. Files with the letters of other languages load only on pages with such
// letters.
for (const name of files.filter((one) => /-latin-wght-normal-[\w-]{8}\.woff2$/.test(one))) {
  report(`font file ${name}`, [name], budgets.font);
}
process.exitCode = isOver ? 1 : 0;

function report(what, names, most) {
  const bytes = [...new Set(names)].reduce((sum, name) => sum + weigh(name), 0);
  const verdict = bytes > most ? 'TOO MUCH' : 'ok';
  console.log(`${verdict.padEnd(9)}${what}: ${kilobytes(bytes)} of ${kilobytes(most)}`);
  isOver ||= bytes > most;
}

/** Returns these chunks with all of their static imports, but without dynamic imports. */
function withImports(names) {
  const found = new Set(names);
  for (const name of found) {
    const imports = textOf(name).matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g);
    for (const [, imported] of imports) found.add(imported);
  }
  return [...found];
}

/** The build appends a hash of eight characters to file names. */
function chunkOf(name) {
  const chunk = files.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  if (!chunk) throw new Error(`There is no chunk ${name}. Was it renamed?`);
  return chunk;
}

function weigh(name) {
  return gzipSync(readFileSync(path.join(client, 'assets', name)), { level: 9 }).length;
}

function kilobytes(bytes) {
  return `${(bytes / kilobyte).toFixed(1)} kB`;
}
