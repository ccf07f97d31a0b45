import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // A further chunk for each `clientAction` would be named in the list that every page with a
  // router loads.
  splitRouteModules: false,
  // The site has few routes: ship the whole manifest, so that lists never ask for it and old tabs survive a deploy.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
