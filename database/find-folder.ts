import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the folder `place` of the repository. Source files and the bundle are at different
 * depths.
 */
export function findFolder(place: string, from = fileURLToPath(import.meta.url)): string {
  const above = path.dirname(from);
  const folder = path.join(above, place);
  if (existsSync(folder)) return folder;
  if (above === from) throw new Error(`the folder ${place} is missing`);
  return findFolder(place, above);
}
