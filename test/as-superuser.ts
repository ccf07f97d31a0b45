import { superuserUrl } from '#database/embedded/local-client.ts';
import type { EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';

/** The same server for a test harness, which disables triggers or starts standbys. */
export function asSuperuser(server: EmbeddedPostgres): EmbeddedPostgres {
  return { ...server, url: superuserUrl(server.dataDir, Number(new URL(server.url).port)) };
}
