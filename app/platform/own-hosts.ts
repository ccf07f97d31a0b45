import type { SafeFetchOptions } from '#app/platform/safe-fetch.server.ts';

/** The settings of the site that contain `FEED_PRIVATE_HOSTS`. */
interface PrivateHosts {
  feedPrivateHosts: readonly string[];
}

/** Returns the entry for a URL's host in the owner's list of private hosts, or null. */
function ownHostOf({ feedPrivateHosts }: PrivateHosts, location: string): string | null {
  const { host, hostname } = URL.parse(location) ?? {};
  return feedPrivateHosts.find((allowed) => allowed === host || allowed === hostname) ?? null;
}

/** Whether the owner allows this host although it is inside a private network. */
export function isOwnHost(env: PrivateHosts, location: string): boolean {
  return ownHostOf(env, location) !== null;
}

/**
 * Returns the rules for fetching from an address. A host in the owner's list may be private, but
 * must then not redirect to any other host.
 */
export function ownHostRules(
  env: PrivateHosts,
  location: string,
): Pick<SafeFetchOptions, 'allowPrivate' | 'allowHosts'> {
  const allowed = ownHostOf(env, location);
  if (allowed === null) return {};
  return { allowPrivate: true, allowHosts: [allowed.replace(/^\[(.*)\]$/, '$1')] };
}
