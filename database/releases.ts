/** A published version, and its last migration. */
export interface Release {
  version: string;
  lastMigration: string;
}

/**
 * All releases so far, in order. The version in package.json is added when it is published,
 * together with a fixture of its data in `test/fixtures/releases`.
 */
export const releases: readonly Release[] = [
  { version: '1.0.0', lastMigration: '0068_what_a_favorite_cost' },
];
