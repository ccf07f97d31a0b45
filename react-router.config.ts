import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // A separate chunk for each `clientAction` would lengthen the manifest that every page with a
  // router loads.
  splitRouteModules: false,
  // The site has few routes, so it ships the whole manifest. Lists then never request it, and old
  // tabs survive a deploy.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
