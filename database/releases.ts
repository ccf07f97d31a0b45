/** A published version, and its last migration. */
export interface Release {
  version: string;
  lastMigration: string;
}

/**
 * Every release so far, in order. The current version of package.json is added when it is
 * published, together with a fixture of its data in `test/fixtures/releases`.
 */
export const releases: readonly Release[] = [
  { version: '1.0.0', lastMigration: '0068_what_a_favorite_cost' },
];
