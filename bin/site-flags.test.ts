import { execFileSync } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { siteEnvironment, siteFlags } from './site-flags.mjs';

const youngOf = (flags: string[]) =>
  Number(/--max-semi-space-size=(\d+)/.exec(flags.join(' '))?.[1]);

it('limits the young generation of the heap by the available memory', () => {
  expect([256, 512, 1024, 2048, 65_536].map((memory) => youngOf(siteFlags(memory)))).toEqual([
    8, 8, 16, 16, 16,
  ]);
});

it('uses MEMORY_MB if set', () => {
  vi.stubEnv('MEMORY_MB', '512');
  expect(siteFlags()).toEqual(siteFlags(512));
  expect(siteEnvironment()).toEqual({ MALLOC_ARENA_MAX: '2' });
  expect(siteEnvironment(4096)).toEqual({});
  vi.unstubAllEnvs();
});

it('prints the same flags for a shell launcher', () => {
  const tell = (env: Record<string, string>) =>
    execFileSync(process.execPath, ['bin/site-flags.mjs'], { env, encoding: 'utf8' });
  const flags = `flags='${siteFlags(512).join(' ')}'\n`;
  expect(tell({ MEMORY_MB: '512' })).toBe(`${flags}export MALLOC_ARENA_MAX=2\n`);
  expect(tell({ MEMORY_MB: '512', MALLOC_ARENA_MAX: '4' })).toBe(flags);
});
