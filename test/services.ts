import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { TestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';

/** Creates services for tests. `env` contains environment variables. */
export function testServices(
  database: TestDatabase,
  env: Record<string, string> = {},
): AppServices {
  return {
    db: database.db,
    env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, LOG_LEVEL: 'silent', ...env }),
    log: createLog('silent'),
    now: () => new Date(),
  };
}
