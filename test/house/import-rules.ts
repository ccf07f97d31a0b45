import type { Import } from '#test/import-graph.ts';

/** The import rules in docs/architecture.md as a pure function of an import. */

const featureOrder = [
  ['site-settings', 'catalog'],
  ['pictures', 'discovery'],
  ['accounts', 'categories', 'merchants', 'blog'],
  ['pages'],
  ['deals'],
  ['prices'],
  ['products'],
  ['evidence'],
  [
    'search',
    'favorites',
    'price-alerts',
    'newsletter',
    'contact',
    'clicks',
    'reports',
    'share-pictures',
  ],
  ['feeds', 'public-api'],
  ['coupons', 'slots', 'moved-subscribers'],
  ['earnings', 'moved-posts', 'moved-prices', 'follows'],
  ['watched-searches', 'imported-lists'],
  ['webhooks', 'channels'],
  ['alert-channels'],
  ['desk'],
];
const audiences = new Set(['storefront', 'account', 'admin', 'api']);
const layers = ['entry', 'audience', 'feature', 'islands', 'platform', 'ui', 'database'] as const;
type Layer = (typeof layers)[number] | 'outside';

/**
 * The layers that each layer may import. `entry` consists of server/, root, routes, jobs, entry.*
 * and the command line.
 */
const mayImport: Record<Layer, Layer[]> = {
  entry: ['entry', 'audience', 'feature', 'islands', 'platform', 'ui', 'database'],
  audience: ['audience', 'feature', 'islands', 'platform', 'ui', 'database'],
  feature: ['feature', 'islands', 'platform', 'ui', 'database'],
  islands: ['islands', 'platform', 'ui'],
  platform: ['platform', 'database'],
  ui: ['ui'],
  database: ['database'],
  outside: [...layers, 'outside'],
};

/**
 * Folders that most developers need not open, each with the only file that other code may import.
 * Tests may import any file.
 */
export const entryPoints: Record<string, string> = {
  'database/embedded/': 'database/embedded/embedded-postgres.ts',
  'database/backups/': 'database/backups/backup.ts',
  'server/scale-out/': 'server/scale-out/scale-out.ts',
  'app/features/search/planner/': 'app/features/search/planner/find-matching-deals.server.ts',
};

/** Returns the rule that an import breaks, as a message that names the right place, or null. */
export function brokenRule({ from, to, isTypeOnly }: Import): string | null {
  const source = layerOf(from);
  const target = layerOf(to);
  if (source === 'outside' || target === 'outside') return null;
  const folder = Object.keys(entryPoints).find((one) => to.startsWith(one));
  if (folder && !from.startsWith(folder) && to !== entryPoints[folder]) {
    return `${folder} has one entry point: import ${entryPoints[folder]}.`;
  }

  if (!mayImport[source].includes(target)) {
    return `${source} may not import ${target}: move what they share to the right (platform, ui or a feature).`;
  }
  if (
    source === 'audience' &&
    target === 'audience' &&
    folderAfter(from, 'app') !== folderAfter(to, 'app')
  ) {
    return 'audiences (storefront, account, admin, api) never import each other: move it to a feature or to ui.';
  }
  if (
    /^app\/(?!(?:platform|islands)\/).*-(page|layout|route)\.tsx?$/.test(to) &&
    from !== 'app/routes.ts'
  ) {
    return 'only routes.ts names a page: move what is shared into a file of its own.';
  }
  if (/-job\.server\.ts$/.test(to) && from !== 'app/jobs.server.ts') {
    return 'only jobs.server.ts names a job: move what is shared into a verb.';
  }
  if (source === 'feature' && target === 'feature') return brokenFeatureOrder(from, to, isTypeOnly);
  if (from.endsWith('.tsx') && /\.server\.tsx?$/.test(to) && !isTypeOnly && !isRouteModule(from)) {
    return 'a component takes *.server.ts only as `import type`: let the page load the data.';
  }
  return null;
}

function brokenFeatureOrder(from: string, to: string, isTypeOnly: boolean): string | null {
  const source = folderAfter(from, 'features');
  const target = folderAfter(to, 'features');
  if (source !== target) {
    const [sourceRank, targetRank] = [rankOf(source), rankOf(target)];
    if (sourceRank === -1 || targetRank === -1)
      return 'a feature that docs/architecture.md does not order.';
    if (targetRank >= sourceRank) {
      return `${source} may not import ${target}: the order is ${featureOrder.map((group) => group.join(', ')).join(' < ')}.`;
    }
  }
  if (from.endsWith('.tsx') && to.includes('.server.') && !isTypeOnly) {
    return 'a component takes *.server.ts only as `import type`: let the page load the data.';
  }
  return null;
}

function rankOf(feature: string): number {
  return featureOrder.findIndex((group) => group.includes(feature));
}

function isRouteModule(file: string): boolean {
  return /-(page|layout|route)\.tsx?$/.test(file) || /^app\/(root|entry\.server)\.tsx$/.test(file);
}

function folderAfter(file: string, parent: string): string {
  const parts = file.split('/');
  return parts[parts.indexOf(parent) + 1] ?? '';
}

function layerOf(file: string): Layer {
  const [top = '', second = ''] = file.split('/');
  if (/\.test\.tsx?$/.test(file)) return 'outside';
  if (top === 'server') return 'entry';
  if (top === 'database') return 'database';
  if (top !== 'app') return 'outside';
  if (audiences.has(second)) return 'audience';
  if (second === 'features') return 'feature';
  if (second === 'islands') return 'islands';
  if (second === 'platform') return 'platform';
  if (second === 'ui') return 'ui';
  return 'entry';
}
