import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // The site has few routes: ship the whole manifest, so that lists never ask for it and old tabs survive a deploy.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
