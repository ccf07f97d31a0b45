import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '#database/connect.ts';
import { startEmbeddedPostgres } from '#database/embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    templateDatabase: string;
  }
}

/**
 * One PostgreSQL server for the whole run, the one of DATABASE_URL or an embedded one of its own, with
 * one migrated template database that each test file clones.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer();
  const template = `deal_hub_template_${process.pid}`;
  await onServer(server.url, `create database ${template}`);
  const { db, close } = connect(databaseUrl(server.url, template), { statementTimeout: 0 });
  await migrate(db);
  await close();
  project.provide('serverUrl', server.url);
  project.provide('templateDatabase', template);
  return async () => {
    await onServer(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

async function findServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const configured = process.env.DATABASE_URL;
  if (configured) return { url: configured, stop: async () => {} };
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-test-'));
  await chmod(folder, 0o755); // root without user namespaces runs PostgreSQL as another user
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg') });
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

/** Runs one statement on the server's own database, outside any transaction. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
