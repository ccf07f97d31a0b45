import { writeAlertPush } from '#app/features/price-alerts/alert-pushes.server.ts';
import type { PushWorker } from '#app/features/price-alerts/send-due-pushes.server.ts';
import { writeSearchPush } from '#app/features/watched-searches/search-pushes.server.ts';

/** Every kind of push message, like `mails.server.ts` for emails. */
export const pushes: PushWorker['kinds'] = {
  'price-alert': writeAlertPush,
  'search-news': writeSearchPush,
};
