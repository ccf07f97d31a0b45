import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

type Expect = (promise: string, holds: boolean) => void;

/** Checks the license and the notices in an unpacked release against its bill of materials. */
export function examineNotices(what: string, tree: string, expect: Expect): void {
  const read = (file: string) => fs.readFileSync(path.join(tree, file), 'utf8');
  expect(`${what}: the license is MIT`, read('LICENSE').startsWith('MIT License\n'));
  expect(`${what}: Node has its license`, read('node/LICENSE').includes('Node.js'));
  const missing = missingNotices(JSON.parse(read('sbom.json')), read('THIRD-PARTY.md'));
  expect(`${what}: the notices lack ${missing.join(', ')}`, missing.length === 0);
}

/** Checks the copyright file of an unpacked Debian package. */
export function examineCopyright(file: string, expect: Expect): void {
  const pipe = `dpkg-deb --fsys-tarfile ${file} | tar --extract --to-stdout`;
  const extract = (name: string) =>
    execFileSync('sh', ['-c', `${pipe} ${name}`], { encoding: 'utf8' });
  const bill = JSON.parse(extract('./usr/lib/deal-hub/sbom.json'));
  const copyright = extract('./usr/share/doc/deal-hub/copyright');
  expect('the copyright file has the license', copyright.startsWith('MIT License\n'));
  const missing = missingNotices(bill, copyright);
  expect(`the copyright file lacks ${missing.join(', ')}`, missing.length === 0);
}

/** Checks that each Debian package in an unpacked image contains its copyright file. */
export function examineDebianNotices(root: string, bill: Bill, expect: Expect): void {
  const packages = bill.components.filter(({ purl }) => purl.startsWith('pkg:deb/'));
  expect('the image lists its Debian packages', packages.length > 5);
  const missing = packages.filter(
    ({ name }) => !fs.existsSync(path.join(root, 'usr/share/doc', name, 'copyright')),
  );
  expect(`no copyright file: ${missing.map(({ name }) => name).join(', ')}`, missing.length === 0);
}

export interface Bill {
  components: { name: string; version: string; purl: string }[];
}

function missingNotices(bill: Bill, notices: string): string[] {
  return bill.components
    .filter(({ name, purl }) => name !== 'node' && purl.startsWith('pkg:npm/'))
    .map(({ name, version }) => `${name} ${version}`)
    .filter((one) => !notices.includes(`\n## ${one} (`));
}
