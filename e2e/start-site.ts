import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { startDemoSite } from '#test/demo-site.ts';
import { ensureBuilt } from '../bin/build-pages.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    origin: string;
    dataFolder: string;
    /** The data folder of a demo shop that nobody uses, for copies. */
    filledShop: string;
  }
}

/** Pages built of the sources as they are, a demo shop for all journeys, and one to copy for those with their own. */
export default async function startSite(project: TestProject): Promise<() => Promise<void>> {
  ensureBuilt();
  const filled = await startDemoSite();
  await filled.end();
  const site = await startDemoSite({}, filled.folder);
  project.provide('origin', site.origin);
  project.provide('dataFolder', site.folder);
  project.provide('filledShop', filled.folder);
  return async () => {
    await site.stop();
    await rm(filled.folder, { recursive: true, force: true });
  };
}
