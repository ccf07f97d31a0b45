import type { TestProject } from 'vitest/node';
import { startDemoSite } from '#test/demo-site.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    origin: string;
    dataFolder: string;
  }
}

/** One demo shop for all journeys. */
export default async function startSite(project: TestProject): Promise<() => Promise<void>> {
  const site = await startDemoSite();
  project.provide('origin', site.origin);
  project.provide('dataFolder', site.folder);
  return () => site.stop();
}
