// Fails when a visitor's first page would load more script than we allow, so that weight is added knowingly.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../build/client/assets/', import.meta.url));
const kilobyte = 1000;
// The first page loads the shared script and its own; compressed, as it travels.
const budgets = { 'largest page script': 20 * kilobyte, 'largest style sheet': 15 * kilobyte };
const sharedBudget = 140 * kilobyte;

const files = readdirSync(folder).map((name) => ({
  name,
  bytes: brotliCompressSync(readFileSync(folder + name)).length,
}));
const manifest = JSON.parse(
  readFileSync(folder + files.find(({ name }) => name.startsWith('manifest-')).name, 'utf8')
    .replace(/^[^{]*/, '')
    .replace(/;?\s*$/, ''),
);
const size = (address) => files.find(({ name }) => address.endsWith(`/${name}`))?.bytes ?? 0;
const total = (addresses) => [...new Set(addresses)].reduce((sum, one) => sum + size(one), 0);

const { entry, routes } = manifest;
const root = routes.root;
const shared = [entry.module, ...entry.imports, root.module, ...root.imports];
const ownScripts = Object.values(routes).map(({ id, module, imports = [] }) => ({
  name: id,
  bytes: total([module, ...imports].filter((one) => !shared.includes(one))),
}));
const styles = files.filter(({ name }) => name.endsWith('.css'));

const rows = [
  ['shared script', total(shared), sharedBudget],
  ['largest page script', largest(ownScripts), budgets['largest page script']],
  ['largest style sheet', largest(styles), budgets['largest style sheet']],
];
let isOver = false;
for (const [name, bytes, most] of rows) {
  const verdict = bytes > most ? 'TOO MUCH' : 'ok';
  isOver ||= bytes > most;
  process.stdout.write(
    `${verdict.padEnd(9)}${name}: ${(bytes / kilobyte).toFixed(1)} of ${most / kilobyte} kB\n`,
  );
}
process.exitCode = isOver ? 1 : 0;

function largest(list) {
  return Math.max(0, ...list.map(({ bytes }) => bytes));
}
