/** The services that are notified of new and ended pages. Their names are stored. */
export const discoveryServices = ['indexnow', 'websub'] as const;

export type DiscoveryService = (typeof discoveryServices)[number];

export const discoveryLabels: Record<DiscoveryService, string> = {
  indexnow: 'IndexNow',
  websub: 'WebSub',
};

/** The most waiting changes that are counted. */
export const mostCounted = 100_000;

/** The path of the file by which IndexNow checks that a notification is the site's own. */
export const indexNowKeyPath = '/indexnow-key.txt';
