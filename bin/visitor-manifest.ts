import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isForVisitors } from '../app/visitor-routes.ts';

interface Manifest {
  entry: { imports: string[] };
  routes: Record<string, { imports?: string[] }>;
}

/** Writes the list of routes for visitors beside the build's own; `entry.server.tsx` names the fitting one. */
export async function writeVisitorManifest(assets: string): Promise<void> {
  const name = (await readdir(assets)).find((file) => /^manifest-[0-9a-f]+\.js$/.test(file));
  if (!name) throw new Error(`There is no route manifest in ${assets}.`);
  const text = await readFile(path.join(assets, name), 'utf8');
  await writeFile(path.join(assets, visitorManifest(name)), trimManifest(text));
}

/** The name, or address, of the list for visitors beside the whole one. */
function visitorManifest(name: string): string {
  return name.replace(/\.js$/, '-visitor.js');
}

/** The same script with fewer routes. What is false is left out, and so is what the entry has brought already. */
export function trimManifest(script: string): string {
  const start = script.indexOf('{');
  const manifest: Manifest = JSON.parse(script.slice(start).replace(/;?\s*$/, ''));
  const kept = Object.entries(manifest.routes).filter(([id]) => isForVisitors(id));
  const loaded = new Set(manifest.entry.imports);
  const routes = Object.fromEntries(
    kept.map(([id, route]) => [
      id,
      { ...route, imports: route.imports?.filter((address) => !loaded.has(address)) },
    ]),
  );
  const trimmed = JSON.stringify({ ...manifest, routes }, (_key, value: unknown) =>
    value === false ? undefined : value,
  );
  return `${script.slice(0, start)}${trimmed};`;
}
