import { callbackify } from 'node:util';
import pg from 'pg';

/**
 * The URL parameter for the other hosts of `DATABASE_URL`, because libpq's comma-separated form is
 * not a valid URL.
 */
const further = 'further-hosts';
/** PostgreSQL's error for a write to a standby. */
const readsOnly = { code: '25006' };
const patienceInMs = 1_500;

/**
 * Converts libpq's `postgres://user@one:5432,two:5433/shop` to a valid URL, and returns other
 * addresses unchanged. Removes `target_session_attrs`, because the site always needs the writable
 * server.
 */
export function readSeveralHosts(address: string): string {
  const [, before = '', hosts = '', after = ''] =
    /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/.exec(address) ?? [];
  const [first = '', ...others] = hosts.split(',');
  const url = URL.parse(before + first + after);
  if (others.length === 0 || !url) return address;
  url.searchParams.delete('target_session_attrs');
  url.searchParams.set(further, others.join(' '));
  return url.href;
}

/** Returns the hosts of an address, with their ports. */
export function hostsOf({ host, searchParams }: URL): string[] {
  return [host, ...(searchParams.get(further)?.split(' ') ?? [])];
}

/** Returns an address for each host. A host without a port uses PostgreSQL's default. */
function addressesOf(url: string): string[] {
  if (!URL.canParse(url)) return [url];
  return hostsOf(new URL(url)).map((host) => {
    const one = Object.assign(new URL(url), { port: '', host });
    one.searchParams.delete(further);
    return one.href;
  });
}

/**
 * A client that finds the writable server among several hosts for each connection. A promoted
 * standby is thus found once the connections to the old primary are closed.
 */
export class PrimaryClient extends pg.Client {
  readonly #addresses: string[];

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.#addresses = addressesOf(config.connectionString ?? '');
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (!callback) return this.#connectToPrimary();
    callbackify(() => this.#connectToPrimary())(callback);
  }

  async #connectToPrimary(): Promise<pg.Client> {
    if (this.#addresses.length > 1) {
      const { host, port } = await findPrimary(this.#addresses);
      Object.assign(this, { host, port });
    }
    return super.connect();
  }
}

/** Returns the writable server. If there is none, throws the first server's error. */
async function findPrimary(addresses: readonly string[]): Promise<{ host: string; port: number }> {
  try {
    return await Promise.any(addresses.map(askWhetherPrimary));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

async function askWhetherPrimary(address: string) {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: patienceInMs,
    query_timeout: patienceInMs,
  });
  client.on('error', () => {}); // The caller gets the error.
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean }>(
      'select pg_is_in_recovery() as "isStandby"',
    );
    if (rows[0]?.isStandby)
      throw Object.assign(new Error(`${client.host} is read-only`), readsOnly);
    return { host: client.host, port: client.port };
  } finally {
    client.connection.stream.destroy();
  }
}
