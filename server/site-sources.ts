import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { keepBuildFiles } from '#server/build-files.ts';
import { securityHeaders } from '#server/security-headers.ts';
import type * as PageHandler from '#server/page-handler.ts';
import { patternsOf } from '#server/route-names.ts';
import { createSiteApp, entryOf } from '#server/site-app.ts';
import type { Standbys } from '#server/scale-out/scale-out.ts';
import { loadStaticFiles } from '#server/static-files.ts';
import type { SiteOptions } from '#server/visit.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages, their files and their jobs, either built or from the sources. */
interface SiteSources extends Pick<
  SiteOptions,
  'app' | 'files' | 'cachedPages' | 'fixedScripts' | 'developmentMiddleware'
> {
  jobs: readonly Job[];
  /** Called before a page is sent, because the browser may request files from another process. */
  keepFiles?(): Promise<void>;
  /** The URL patterns of pages, such as `/deals/:slug`. */
  patterns: readonly string[];
  /** Called with the server before it listens. */
  attach?(server: Server): void;
  close?(): Promise<void>;
}

/** Loads the built site, which is what visitors get. */
export async function loadBuiltSite(
  services: AppServices,
  standbys: Standbys | null = null,
): Promise<SiteSources> {
  const { createPageHandler } = await import('#server/page-handler.ts');
  const build = await loadBundle();
  const folder = path.join(root, 'build/client');
  const { jobs, cachedPages, fixedScripts = [], flushClicks } = entryOf(build);
  return {
    app: createSiteApp(build, createPageHandler, services, standbys),
    files: await loadStaticFiles(folder, securityHeaders(services.env.origin)),
    keepFiles: () => keepBuildFiles(services, folder),
    jobs,
    patterns: patternsOf(build),
    cachedPages,
    fixedScripts,
    close: () => flushClicks(services.db),
  };
}

/**
 * Loads the bundle for the command line. Only the bundle contains the email templates, which are
 * React components, and the list of jobs.
 */
export async function loadEntry() {
  return entryOf(await loadBundle());
}

async function loadBundle(): Promise<ServerBuild> {
  const bundle = path.join(root, 'build/server/index.js');
  if (!existsSync(bundle)) {
    throw new Error('The site is not built yet. Run `npm start` or `npm run build`.');
  }
  return await import(pathToFileURL(bundle).href);
}

/** Renders pages directly from the sources, with Vite's hot reload on our own port. */
export async function developSite(services: AppServices): Promise<SiteSources> {
  // Vite needs a server for its WebSocket before ours exists, so this one is created first.
  const relay = createServer();
  const vite = await keepingOurExit(async () => {
    const { createServer: createVite } = await import('vite');
    const server = { middlewareMode: true, hmr: { server: relay } };
    return createVite({ root, appType: 'custom', server });
  });
  const load = () =>
    vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>;
  const build = await load();
  const { jobs, cachedPages } = entryOf(build);
  // Imports the router by its file, as pages do. By the package name, Vite would load a second
  // router, and each rejects the contexts of the other.
  const { createPageHandler } = (await vite.ssrLoadModule(
    '/server/page-handler.ts',
  )) as typeof PageHandler;
  return {
    app: createSiteApp(load, createPageHandler, services),
    files: new Map(),
    jobs,
    patterns: patternsOf(build),
    cachedPages,
    developmentMiddleware: (request, response, next) => vite.middlewares(request, response, next),
    attach: (server) => {
      server.on('upgrade', (...args) => relay.emit('upgrade', ...args));
    },
    close: () => vite.close(),
  };
}

/**
 * Prevents a second Vite inside the router's plugin from exiting the process on SIGTERM before the
 * database has shut down.
 */
async function keepingOurExit<T>(start: () => Promise<T>): Promise<T> {
  const ours = new Set(process.listeners('SIGTERM'));
  const started = await start();
  for (const listener of process.listeners('SIGTERM')) {
    if (!ours.has(listener)) process.off('SIGTERM', listener);
  }
  process.stdin.removeAllListeners('end');
  return started;
}
