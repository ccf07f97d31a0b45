import { superuserUrl } from '#database/embedded/local-client.ts';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';

/**
 * Connects to the same server as a superuser, for tests that disable triggers or start standbys.
 */
export function asSuperuser(server: EmbeddedPostgres): EmbeddedPostgres {
  return { ...server, url: superuserUrl(server.dataDir, Number(new URL(server.url).port)) };
}
