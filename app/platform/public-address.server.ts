import { lookup as lookupName } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { SafeFetchError } from './safe-fetch-error.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface AddressRules {
  /** Allows private addresses and any port: for tests and an operator's own network. */
  allowPrivate?: boolean;
  /** Replaces the system's DNS lookup. */
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
}

/**
 * Returns whether an address is on the public internet. Reserved addresses are not, nor is IPv4
 * embedded in IPv6.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` unwraps ::ffff:a.b.c.d; the other embeddings (64:ff9b::, 6to4, teredo) are ranges of
  // their own.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  // Every public IPv6 address is in 2000::/3. Outside of this range are obsolete forms that some
  // networks still route.
  return !(address instanceof ipaddr.IPv6) || address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Returns the addresses of a host, which must all be public unless private ones are allowed. */
export async function resolvePublic(
  host: string,
  options: AddressRules,
): Promise<ResolvedAddress[]> {
  const resolve = options.resolve ?? ((name: string) => lookupName(name, { all: true }));
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new SafeFetchError(notFound(host), { cause: error });
  });
  if (!options.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new SafeFetchError(notPublic(host));
  }
  return addresses;
}

export function notPublic(host: string): string {
  return `${host} is not an address of the public internet`;
}

export function notFound(host: string): string {
  return `${host} was not found`;
}
