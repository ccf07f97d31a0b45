import {
  areWebhooksDue,
  sendDueWebhooks,
} from '#app/features/webhooks/send-due-webhooks.server.ts';
import { areAlertsDue, checkAlerts } from '#app/features/price-alerts/check-alerts-job.server.ts';
import { arePushesDue, sendDuePushes } from '#app/features/price-alerts/send-due-pushes.server.ts';
import { postPush } from '#app/platform/push/post-push.server.ts';
import { writeWeeklyDigest } from '#app/features/newsletter/write-weekly-digest.server.ts';
import {
  areNewslettersDue,
  queueNewsletters,
} from '#app/features/newsletter/queue-newsletters.server.ts';
import { mails } from '#app/mails.server.ts';
import { pushes } from '#app/pushes.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { backUp, tryBackup } from '#app/platform/backups/back-up-job.server.ts';
import { isMailBarred } from '#app/features/accounts/people/suspend-user.server.ts';
import { readBounceMailbox } from '#app/platform/mail/reports/read-bounce-mailbox-job.server.ts';
import { areMailsDue, sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import {
  areBulkChangesDue,
  makeBulkChanges,
} from '#app/features/deals/make-bulk-changes-job.server.ts';
import {
  continueCurrencyChange,
  isCurrencyChangeDue,
} from '#app/features/site-settings/switch-currency.server.ts';
import { showDuePosts } from '#app/features/blog/show-due-posts-job.server.ts';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { forecastPrices } from '#app/features/prices/forecast-prices.server.ts';
import { ageStandings } from '#app/features/prices/age-standings-job.server.ts';
import { checkLinks } from '#app/features/deals/check-links-job.server.ts';
import { countClicksAnew } from '#app/features/clicks/click-queries.server.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { arePicturesDue, fetchPictures } from '#app/features/pictures/fetch-pictures-job.server.ts';
import { tidyPictures } from '#app/features/pictures/tidy-pictures-job.server.ts';
import {
  areSearchesDue,
  tellOfSearches,
} from '#app/features/watched-searches/tell-of-searches-job.server.ts';
import { remindOfFavorites } from '#app/features/favorites/remind-of-favorites-job.server.ts';

import { queueDueImports } from '#app/features/feeds/runs/queue-import.server.ts';
import {
  areImportsDue,
  areImportsWaiting,
  forgetOldImports,
  noteLostImport,
  runQueuedImports,
} from '#app/features/feeds/runs/run-queued-imports-job.server.ts';

/** Every background job with its schedule: the second table of contents, beside `routes.ts`. */
export const jobs: readonly Job[] = [
  {
    name: 'send-mails',
    isDue: areMailsDue,
    run: async (services, signal) => {
      const transport = mailTransportOf(services.env);
      await sendDueMails(services, {
        kinds: mails,
        readSite: readMailSite,
        transport,
        isBarred: isMailBarred,
        signal,
      });
    },
  },
  { name: 'read-bounces', schedule: '*/5 * * * *', run: readBounceMailbox },
  { name: 'queue-newsletters', isDue: areNewslettersDue, run: queueNewsletters },
  {
    name: 'send-webhooks',
    isDue: areWebhooksDue,
    run: async (services, signal) => void (await sendDueWebhooks(services, { signal })),
  },
  {
    name: 'check-alerts',
    isDue: areAlertsDue,
    run: ({ db }, signal) => checkAlerts(db, signal),
  },
  forgetting('forget-old-deliveries', '50 3 * * *'),
  {
    name: 'send-pushes',
    isDue: arePushesDue,
    run: async (services, signal) => {
      const site = await readMailSite(services.db, services.env);
      await sendDuePushes(services, { kinds: pushes, post: postPush, site, signal });
    },
  },
  {
    name: 'remind-of-favorites',
    schedule: '*/10 * * * *',
    run: ({ db }, signal) => remindOfFavorites(db, signal),
  },
  forgetting('forget-spent-attempts', '*/15 * * * *'),
  {
    name: 'write-weekly-digest',
    schedule: '7 * * * 1,2',
    run: async ({ db, now }, signal) => void (await writeWeeklyDigest(db, now(), signal)),
  },
  { name: 'tell-of-searches', isDue: areSearchesDue, run: tellOfSearches },
  forgetting('forget-old-mails', '40 3 * * *'),
  {
    name: 'make-bulk-changes',
    isDue: areBulkChangesDue,
    run: (services, signal) => makeBulkChanges(services, signal),
  },
  { name: 'change-currency', isDue: isCurrencyChangeDue, run: continueCurrencyChange },
  forgetting('forget-deleted-deals', '*/10 * * * *'),
  {
    name: 'count-clicks-anew',
    schedule: '7 * * * *',
    run: ({ db }, signal) => countClicksAnew(db, signal),
  },
  forgetting('forget-old-clicks', '10 4 * * *'),
  { name: 'show-due-posts', schedule: '* * * * *', run: ({ db }) => showDuePosts(db) },
  { name: 'expire-deals', schedule: '* * * * *', run: ({ db }, signal) => expireDeals(db, signal) },
  {
    name: 'check-links',
    schedule: '* * * * *',
    run: (services, signal) => checkLinks(services, { signal }),
  },
  { name: 'check-discounts', schedule: '12 * * * *', run: checkDiscounts },
  // Once a day; the later hours go on where one was cut off.
  { name: 'forecast-prices', schedule: '20 1-5 * * *', run: forecastPrices },
  forgetting('forget-old-reductions', '30 4 * * *'),
  {
    name: 'age-standings',
    schedule: '20 3 * * *',
    run: ({ db }, signal) => ageStandings(db, signal),
  },
  {
    name: 'fetch-pictures',
    isDue: arePicturesDue,
    run: (services, signal) => fetchPictures(services, { signal }),
  },
  {
    name: 'tidy-pictures',
    schedule: '25 * * * *',
    run: (services, signal) => tidyPictures(services, signal),
  },
  {
    name: 'run-imports',
    isDue: areImportsDue,
    run: async (services, signal) => void (await runQueuedImports(services, signal)),
    apart: { isWanted: areImportsWaiting, afterDeath: noteLostImport },
  },
  {
    name: 'queue-due-imports',
    schedule: '* * * * *',
    run: async ({ db }) => void (await queueDueImports(db)),
  },
  { name: 'back-up', schedule: '45 2 * * *', run: backUp },
  { name: 'try-backup', schedule: '15 4 * * 0', run: tryBackup },
  { name: 'forget-old-imports', schedule: '20 4 * * *', run: forgetOldImports },
];

/** What such a job forgets, and after how long, stands in `database/table-registry.ts`. */
function forgetting(name: string, schedule: string): Job {
  return { name, schedule, run: ({ db }, signal) => forgetOldRows(db, name, signal) };
}
