import crypto from 'node:crypto';
import { Client } from 'pg';
import { noteEnded } from '#database/ended-sessions.ts';
import { readPassword } from './make-cluster.ts';

declare module 'pg' {
  /** Members of the driver that are missing from its types. */
  interface Client {
    ref(): void;
    unref(): void;
  }
}

/** The role of all the site's connections, without superuser rights. */
export const siteRole = 'deal_hub';

/** Returns the URL of the cluster's superuser, used only to start, stop and prepare the server. */
export function superuserUrl(cluster: string, port: number): string {
  return `postgres://postgres:${readPassword(cluster)}@127.0.0.1:${port}/postgres`;
}

export function siteUrl(cluster: string, port: number, database = 'postgres'): string {
  return `postgres://${siteRole}:${sitePassword(cluster)}@127.0.0.1:${port}/${database}`;
}

/**
 * Returns the password of the site's role. The password is derived from the superuser's without
 * revealing it, so there is no second file to lose.
 */
export function sitePassword(cluster: string): string {
  return crypto.createHmac('sha256', readPassword(cluster)).update(siteRole).digest('base64url');
}

/** The site may create functions in `public`, so superuser sessions must not search that schema. */
const safeSettings = [
  '-c search_path=pg_catalog',
  // The log must not show the password of the site's role.
  '-c log_min_duration_statement=-1 -c log_min_error_statement=panic',
].join(' ');

export function newSuperuser(cluster: string, port: number): Client {
  return newClient(superuserUrl(cluster, port), safeSettings);
}

export function newClient(url: string, options?: string): Client {
  const settings = options === undefined ? {} : { options };
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000, ...settings });
  client.on('end', () => noteEnded(client));
  client.on('error', () => {}); // A connection that drops while idle must not end the process.
  return client;
}
