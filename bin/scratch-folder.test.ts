import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const program = path.join(import.meta.dirname, 'scratch-folder.mjs');

function scratchFolder(env: Record<string, string>): string {
  return execFileSync(process.execPath, [program], { env, encoding: 'utf8' }).trim();
}

test('puts temporary files into TMPDIR, or into a writable folder if it is not set', () => {
  expect(scratchFolder({ TMPDIR: '/somewhere/else' })).toBe('/somewhere/else');
  const chosen = scratchFolder({});
  expect(path.isAbsolute(chosen)).toBe(true);
  accessSync(chosen, constants.W_OK);
});
