import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';

/** Variables that Node, the C library and the start scripts read. */
const readByOthers =
  /^(?:(?:NODE|UV|SSL|LC|MALLOC|DEALS|npm)_.+|TZ|LANG|PATH|HOME|TMPDIR|(?:NO|FORCE)_COLOR)$/;

const known = Object.keys(environmentSchema.shape);

/**
 * Returns a sentence for each name of `.env` in this folder that is not a setting. The process
 * environment is not checked, since it contains other programs' variables too.
 */
export function unknownSettings(text = readEnvFile()): string[] {
  return Object.keys(parseEnv(text)).flatMap((name) => {
    if (known.includes(name)) return [];
    const near = nearestSetting(name);
    if (near !== null) return [`.env sets ${name}, which is not a setting. Did you mean ${near}?`];
    return readByOthers.test(name)
      ? []
      : [`.env sets ${name}, which is not a setting. docs/settings.md lists them.`];
  });
}

function readEnvFile(): string {
  try {
    return readFileSync('.env', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the most similar setting, allowing at most two typing errors, or fewer in a short name.
 */
function nearestSetting(name: string): string | null {
  const asked = name.toUpperCase();
  const most = Math.min(2, Math.floor(name.length / 3));
  const [best] = known
    .map((setting) => ({ setting, slips: countSlips(asked, setting) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((one, other) => one.slips - other.slips);
  return best?.setting ?? null;
}

/** Counts the letters to add, drop, replace or swap with a neighbor (optimal string alignment). */
function countSlips(typed: string, meant: string): number {
  let before: number[] = [];
  let row = Array.from({ length: meant.length + 1 }, (_, n) => n);
  for (let i = 1; i <= typed.length; i++) {
    const next = [i];
    for (let j = 1; j <= meant.length; j++) {
      const isSame = typed[i - 1] === meant[j - 1];
      const isSwap =
        i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[meant.length] ?? 0;
}
