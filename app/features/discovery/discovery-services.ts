/** The services that are notified of new and removed pages. Their names are stored. */
export const discoveryServices = ['indexnow', 'websub'] as const;

export type DiscoveryService = (typeof discoveryServices)[number];

export const discoveryLabels: Record<DiscoveryService, string> = {
  indexnow: 'IndexNow',
  websub: 'WebSub',
};

/** The count of waiting changes stops here. */
export const mostCounted = 100_000;

/** The path of the file by which IndexNow verifies that the site sent a notification. */
export const indexNowKeyPath = '/indexnow-key.txt';
