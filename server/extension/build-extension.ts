import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { type Browser, extensionManifest, type ExtensionAbout } from './extension-manifest.ts';
import { makeZip } from './make-zip.ts';

export const browsers = ['chrome', 'firefox'] as const satisfies Browser[];

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = ['extension/popup.html', 'extension/popup.css'];

/**
 * Builds the extension for one browser as a ZIP archive. The same input gives the same bytes.
 * `icons` are PNG pictures by size in pixels.
 */
export function buildExtension(
  browser: Browser,
  about: ExtensionAbout,
  icons: ReadonlyMap<number, Buffer>,
): Buffer {
  const manifest = extensionManifest(browser, about, [...icons.keys()]);
  return makeZip([
    { name: 'manifest.json', content: `${JSON.stringify(manifest, null, 2)}\n` },
    ...pages.map((file) => ({ name: path.basename(file), content: read(file) })),
    ...compileScripts('extension/popup.ts'),
    ...[...icons].map(([side, content]) => ({ name: `icon-${side}.png`, content })),
  ]);
}

/**
 * Compiles a script and everything that it imports into one folder. Keeps comments for reviewers.
 */
function compileScripts(first: string): { name: string; content: string }[] {
  const files = [first];
  return Array.from(iterate(files), (file) => {
    const code = stripTypeScriptTypes(read(file));
    const content = code.replaceAll(/ from '([^']+)\.ts'/g, (_, specifier: string) => {
      const target = specifier.startsWith('#')
        ? specifier.slice(1)
        : path.posix.join(path.posix.dirname(file), specifier);
      if (!files.includes(`${target}.ts`)) files.push(`${target}.ts`);
      return ` from './${path.posix.basename(target)}.js'`;
    });
    return { name: `${path.basename(file, '.ts')}.js`, content };
  });
}

/** Iterates over a list that grows during the iteration. */
function* iterate<Item>(list: readonly Item[]): Generator<Item> {
  for (let at = 0; at < list.length; at++) yield list[at]!;
}
