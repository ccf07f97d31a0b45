import { configureGlobal } from 'fast-check';

export * from 'fast-check';

/**
 * Makes properties use the same values in every run, so that only a code change can make a run
 * fail. `TEST_SEED=random npm test` uses new values; a number uses the values for that seed.
 */
const seed = process.env.TEST_SEED ?? '20261122';
if (seed !== 'random') configureGlobal({ seed: Number(seed) });
