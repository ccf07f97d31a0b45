import path from 'node:path';
import type { Config } from '@react-router/dev/config';
import { writeVisitorManifest } from './bin/visitor-manifest.ts';

export default {
  ssr: true,
  // A chunk more for each `clientAction` would be named in the list that every page loads.
  splitRouteModules: false,
  // The site has few routes: ship the whole manifest, so that lists never ask for it and old tabs survive a deploy.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) =>
    writeVisitorManifest(path.join(reactRouterConfig.buildDirectory, 'client/assets')),
} satisfies Config;
