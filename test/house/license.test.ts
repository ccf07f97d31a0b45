import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imageLabels } from '../../bin/release/make-image.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

test('names the license in LICENSE in every file that states a license', () => {
  expect(read('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} Deal Hub contributors\n/);
  const named = [manifest.license, lock.packages[''].license, imageLabels.licenses];
  expect(named).toEqual(['MIT', 'MIT', 'MIT']);
  expect(read('bin/release/make-deb.ts')).toContain("read('LICENSE')");
});

test('names the Node version in package.json in every file that states one', () => {
  const { node } = manifest.dependencies;
  expect(read('.node-version')).toBe(`${node}\n`);
  // The hash of Node for arm64, which package-lock.json lacks.
  expect(read('bin/release/release-packages.ts')).toContain(`version: '${node}'`);
  const [major] = node.split('.');
  for (const file of ['Dockerfile', '.github/workflows/ci.yml', '.github/workflows/release.yml']) {
    expect(read(file)).toMatch(new RegExp(`node:${major}-bookworm`));
  }
});
