import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import type { AppServices, RequestFacts } from '#app/platform/app-context.server.ts';
import { createPageHandler } from '#server/page-handler.ts';
import type { TestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { readPage } from '#test/stray-values.ts';

export interface TestSite {
  /**
   * Sends a request through the built application, as the server does, and returns the response.
   */
  request(
    path: string,
    init?: RequestInit & { forCache?: boolean; address?: string },
  ): Promise<Response>;
  /** Sends a request like `request`, and also returns the page's text. */
  page(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; html: string; headers: Headers }>;
}

/** The built site with a test's database. Requires `npm run build`, which `npm test` runs. */
export function testSite(database: TestDatabase, overrides: Partial<AppServices> = {}): TestSite {
  async function request(
    path: string,
    init: RequestInit & { forCache?: boolean; address?: string } = {},
  ) {
    const build = await loadBuild();
    const { createLoadContext } = build.entry.module as unknown as {
      createLoadContext(services: AppServices, facts: RequestFacts): never;
    };
    const services: AppServices = {
      db: database.db,
      env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, LOG_LEVEL: 'silent' }),
      log: createLog('silent'),
      now: () => new Date(),
      ...overrides,
    };
    const { forCache = false, address = '192.0.2.1', ...rest } = init;
    const facts = {
      id: 'test-request',
      nonce: 'test-nonce',
      isForCache: forCache,
      address,
      gateNote: null,
    };
    handler ??= createPageHandler(build, 'production');
    return handler(
      new Request(new URL(path, testOrigin), rest),
      createLoadContext(services, facts),
    );
  }
  return {
    request,
    async page(path, init) {
      const response = await request(path, init);
      return { status: response.status, html: await readPage(response), headers: response.headers };
    },
  };
}

const buildFile = fileURLToPath(new URL('../build/server/index.js', import.meta.url));
let loading: Promise<ServerBuild> | undefined;
/** All sites in a process share one handler, because creating one sorts all routes. */
let handler: ReturnType<typeof createPageHandler> | undefined;

/** The compiled `app/routes.ts` and its list of routes, for tests. */
export function loadBuild(): Promise<ServerBuild> {
  if (!existsSync(buildFile)) throw new Error('The site is not built. Run `npm run build` first.');
  loading ??= import(buildFile) as Promise<ServerBuild>;
  return loading;
}
