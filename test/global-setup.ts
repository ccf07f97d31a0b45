import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '#database/connect.ts';
import { describeSchema } from '#database/describe-schema.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';
import { asSuperuser } from '#test/as-superuser.ts';
import { ensureBuilt } from '../bin/build-pages.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    templateDatabase: string;
    /** The result of `describeSchema`. */
    templateSchema: string;
  }
}

/**
 * Builds the pages from the current sources, so that no test uses an old build. Starts a temporary
 * PostgreSQL server per test project, or uses the one at DATABASE_URL (as superuser). The server
 * has one migrated template for all its databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ensureBuilt();
  const server = await startTestServer();
  const template = `deal_hub_${project.name}_${process.pid}`;
  await onServer(server.url, `create database ${template}`);
  const { db, pool, close } = connect(databaseUrl(server.url, template), { statementTimeout: 0 });
  await migrate(db);
  project.provide('templateSchema', await describeSchema(pool));
  await close();
  project.provide('serverUrl', server.url);
  project.provide('templateDatabase', template);
  return async () => {
    await dropDatabases(server.url, template);
    await server.stop();
  };
}

/** Drops the template and its copies, whose names begin with the template's name. */
async function dropDatabases(serverUrl: string, template: string): Promise<void> {
  const names = await onServer(
    serverUrl,
    `select datname as name from pg_database where datname = '${template}' or starts_with(datname, '${template}_')`,
  );
  for (const { name } of names) await onServer(serverUrl, `drop database ${name} with (force)`);
}

export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const configured = process.env.DATABASE_URL;
  if (configured) return { url: configured, stop: async () => {} };
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-test-'));
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

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on the server's default database, outside any transaction. */
export async function onServer(serverUrl: string, statement: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}
