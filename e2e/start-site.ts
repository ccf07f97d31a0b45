import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { asSuperuser } from '#test/as-superuser.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { startDemoSite } from '#test/demo-site.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';
import { ensureBuilt } from '../bin/build-pages.mjs';
import { shopTemplates } from './shop-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    origin: string;
    dataFolder: string;
    /** The database of the shared shop. */
    shopDatabase: string;
    /** A temporary PostgreSQL server, with the templates in `shopTemplates` for every test shop. */
    shopServer: string;
  }
}

/**
 * Builds the site from the current sources. Starts a demo shop for all tests, and creates templates
 * for the shops of single test files.
 */
export default async function startSite(project: TestProject): Promise<() => Promise<void>> {
  ensureBuilt();
  const server = await startServer();
  await makeTemplates(server.url);
  const shopDatabase = databaseUrl(server.url, 'shared_shop');
  await onServer(server.url, `create database shared_shop template ${shopTemplates.filled}`);
  const site = await startDemoSite({ DATABASE_URL: shopDatabase });
  project.provide('origin', site.origin);
  project.provide('dataFolder', site.folder);
  project.provide('shopDatabase', shopDatabase);
  project.provide('shopServer', server.url);
  return async () => {
    await site.stop();
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-shops-'));
  await chmod(folder, 0o755); // if this is root, PostgreSQL may run as another user
  const dataDir = path.join(folder, 'pg');
  const server = asSuperuser(await startEmbeddedPostgres({ dataDir, isThrowaway: true }));
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the site once per template, as an owner would. One start only migrates an empty database,
 * the other adds the demo shop.
 */
async function makeTemplates(server: string): Promise<void> {
  const { migrated, filled } = shopTemplates;
  await onServer(server, `create database ${migrated}`);
  await startOnce({ DATABASE_URL: databaseUrl(server, migrated), SEED: 'none' });
  await onServer(server, `create database ${filled} template ${migrated}`);
  await startOnce({ DATABASE_URL: databaseUrl(server, filled) });
  // Autovacuum is off, so statistics must be collected here. The copies inherit them from the
  // template.
  await onServer(databaseUrl(server, filled), 'analyze');
}

async function startOnce(settings: Record<string, string>): Promise<void> {
  const site = await startDemoSite(settings);
  await site.stop();
}
