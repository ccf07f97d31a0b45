// Fails when the first page a visitor opens would load more than we allow, so that weight is added knowingly.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const kilobyte = 1000;
/**
 * Gzipped, for one page with everything it needs: script, and style sheets. The pages of an account, which nobody
 * opens first, bring the forms and the human check along.
 */
const budgets = { script: 130 * kilobyte, accountScript: 140 * kilobyte, styles: 20 * kilobyte };

const folder = fileURLToPath(new URL('../build/client/assets/', import.meta.url));
const manifestName = readdirSync(folder).find((name) =>
  /^manifest-[0-9a-f]+-visitor\.js$/.test(name),
);
const { entry, routes } = JSON.parse(
  readFileSync(folder + manifestName, 'utf8')
    .replace(/^[^{]*/, '')
    .replace(/;?\s*$/, ''),
);

const isPage = ({ id, parentId }) => parentId === 'storefront/chrome/site-layout' && id !== '';
let isOver = false;
for (const page of Object.values(routes).filter(isPage)) {
  const chain = [routes.root, routes['storefront/chrome/site-layout'], page];
  const scripts = [
    `/assets/${manifestName}`,
    entry.module,
    ...entry.imports,
    ...chain.flatMap(({ module, imports = [] }) => [module, ...imports]),
  ];
  const styles = [...chain.flatMap(({ css = [] }) => css), ...baseSheets()];
  const isAccount = page.id.startsWith('account/');
  report(page.id, 'script', weigh(scripts), isAccount ? budgets.accountScript : budgets.script);
  report(page.id, 'styles', weigh(styles), budgets.styles);
}
process.exitCode = isOver ? 1 : 0;

function report(page, what, bytes, most) {
  const verdict = bytes > most ? 'TOO MUCH' : 'ok';
  console.log(`${verdict.padEnd(9)}${what} of ${page}: ${kilobytes(bytes)} of ${kilobytes(most)}`);
  isOver ||= bytes > most;
}

/** Linked by the root document itself, so the manifest does not list it. */
function baseSheets() {
  return readdirSync(folder).filter((name) => /^base-.*\.css$/.test(name));
}

function weigh(addresses) {
  const names = new Set(addresses.map((address) => address.split('/').pop().split('#')[0]));
  return [...names].reduce(
    (sum, name) => sum + gzipSync(readFileSync(folder + name), { level: 9 }).length,
    0,
  );
}

function kilobytes(bytes) {
  return `${(bytes / kilobyte).toFixed(1)} kB`;
}
