import { cp, mkdtemp, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['app', 'bin', 'content', 'database', 'public', 'server', 'package.json'];
/** Names of scripts and shared stylesheets, with the bundler's hash. */
const renamed = /^(?:[\w.-]+-[\w-]{8}\.js|(?:base|site)-[\w-]{8}\.css)$/;

/**
 * Copies the site as if its sources had been changed and built, and returns the folder. Every
 * script and the shared stylesheets get a different name and content, and all references are
 * updated. Fonts, pictures and other stylesheets are unchanged. A real second build would prove the
 * same, but take twenty times as long.
 */
export async function makeSecondBuild(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-build-'));
  for (const name of [...sources, 'build']) {
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const assets = path.join(folder, 'build/client/assets');
  const names = (await readdir(assets)).filter((name) => renamed.test(name));
  const next = new Map(names.map((name) => [name, otherName(name)]));
  const files = await readdir(path.join(folder, 'build'), { recursive: true });
  for (const file of files.filter((name) => /\.(?:js|css|json)$/.test(name))) {
    const at = path.join(folder, 'build', file);
    const text = await readFile(at, 'utf8');
    const changed = text.replace(/[\w.-]+-[\w-]{8}\.(?:js|css)/g, (name) => next.get(name) ?? name);
    const isRenamed = next.has(path.basename(file)) && path.dirname(at) === assets;
    if (isRenamed || changed !== text) {
      await writeFile(at, isRenamed ? `${changed}\n/* of the second build */\n` : changed);
    }
  }
  for (const [name, other] of next) await rename(path.join(assets, name), path.join(assets, other));
  return folder;
}

/** Returns the file name with its hash rotated by one letter. */
function otherName(name: string): string {
  const [, start = '', first = '', rest = '', end = ''] =
    /^(.*-)([\w-])([\w-]{7})(\.\w+)$/.exec(name) ?? [];
  return start + rest + first + end;
}
