import { Client } from 'pg';
import { readPassword } from './embedded-postgres-cluster.ts';

declare module 'pg' {
  /** The driver has both, its types have not. */
  interface Client {
    ref(): void;
    unref(): void;
  }
}

export function urlOf(cluster: string, port: number): string {
  return `postgres://postgres:${readPassword(cluster)}@127.0.0.1:${port}/postgres`;
}

export function newClient(url: string): Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {}); // a connection that drops while idle must not end the process
  return client;
}
