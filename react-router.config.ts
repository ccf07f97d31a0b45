import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // A further chunk for each `clientAction` would be named in the list that every page with a
  // router loads.
  splitRouteModules: false,
  // The site has few routes and ships the whole manifest. So lists never request it, and old tabs
  // survive a deploy.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
