import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import { can, rights } from '#app/features/accounts/policy.ts';
import routes from '#app/routes.ts';

/** Returns the modules in a route tree, below `app/`. */
const modulesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [file, ...modulesOf(children ?? [])]);

const backOffice = routes.filter(
  ({ file, path: address }) => file.startsWith('admin/') || /^admin(?:\/|$)/.test(address ?? ''),
);
const texts = modulesOf(backOffice).map((file) => ({
  file,
  text: readFileSync(path.join(import.meta.dirname, '../../app', file), 'utf8'),
}));

/** Matches a loader or action, and the right that its first line requires. */
const asking =
  /^export (?:async )?function (loader|action)\([^)]*\)[^{\n]*\{\n {2}(?:const .+ = )?requireRight\(context, '(.+)'\)/gm;

/**
 * Returns a module's loaders and actions that require no right. Every module needs a loader,
 * because a page without one would be open to all staff.
 */
function openCalls(text: string): string[] {
  const asked = new Set([...text.matchAll(asking)].map(([, name]) => name));
  const calls = [...text.matchAll(/^export\b.*?\b(loader|action)\b/gm)].map(([, name]) => name);
  return [...new Set(['loader', ...calls])].flatMap((name) =>
    name === undefined || asked.has(name) ? [] : [name],
  );
}

// Proves R61: each act of the back office asks for its right by name (require-right.server.ts, policy.ts)
test('R61: requires a named right at the start of every loader and action in the admin', () => {
  expect(texts.length).toBeGreaterThan(45);
  const open = texts.flatMap(({ file, text }) =>
    openCalls(text).map((call) => `${file}: its ${call} asks for no right`),
  );
  expect(open).toEqual([]);
});

test('R61: requires every staff right somewhere', () => {
  const asked = new Set(
    texts.flatMap(({ text }) => [...text.matchAll(asking)].map(([, , right]) => right)),
  );
  expect(rights.filter((right) => !can('user', right) && !asked.has(right))).toEqual([]);
});

test('recognizes a right check in every spelling', () => {
  const loader =
    "export function loader({ context }: Args) {\n  requireRight(context, 'a.read');\n}\n";
  const late =
    "export async function action({ context }: Args) {\n  await act();\n  requireRight(context, 'a');\n}";
  expect(openCalls(loader)).toEqual([]);
  expect(openCalls(loader + late)).toEqual(['action']);
  expect(openCalls(`${loader}export const action = act;`)).toEqual(['action']);
  expect(openCalls(`${loader}export { act as action };`)).toEqual(['action']);
  expect(openCalls('export default function Page() {}')).toEqual(['loader']);
});
