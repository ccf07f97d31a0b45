import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';

/** Every background job with its schedule: the second table of contents, beside `routes.ts`. */
export const jobs: readonly Job[] = [
  { name: 'expire-deals', schedule: '* * * * *', run: ({ db }) => expireDeals(db) },
];
