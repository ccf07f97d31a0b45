import { forgetEndedSessions } from '#app/features/accounts/forget-ended-sessions.server.ts';
import { forgetOldAlertEvents } from '#app/features/price-alerts/forget-old-alert-events.server.ts';
import { sendDueWebhooks } from '#app/features/webhooks/send-due-webhooks.server.ts';
import { forgetOldDeliveries } from '#app/features/webhooks/webhook-queries.server.ts';
import { forgetOldPushes } from '#app/features/price-alerts/push-outbox-queries.server.ts';
import { sendDuePushes } from '#app/features/price-alerts/send-due-pushes.server.ts';
import { postPush } from '#app/platform/push/post-push.server.ts';
import { forgetOldMails } from '#app/platform/mail/outbox-queries.server.ts';
import { writeWeeklyDigest } from '#app/features/newsletter/write-weekly-digest.server.ts';
import { mails } from '#app/mails.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import {
  forgetDeletedDeals,
  makeBulkChanges,
} from '#app/features/deals/make-bulk-changes-job.server.ts';
import { showDuePosts } from '#app/features/blog/show-due-posts-job.server.ts';
import { checkLinks } from '#app/features/deals/check-links-job.server.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { remindOfFavorites } from '#app/features/favorites/remind-of-favorites-job.server.ts';
import { forgetSpentAttempts } from '#app/platform/forget-spent-attempts.server.ts';

import { queueDueImports } from '#app/features/feeds/runs/queue-import.server.ts';
import {
  forgetOldImports,
  runQueuedImports,
} from '#app/features/feeds/runs/run-queued-imports-job.server.ts';

/** Every background job with its schedule: the second table of contents, beside `routes.ts`. */
export const jobs: readonly Job[] = [
  {
    name: 'send-mails',
    everySeconds: 2,
    run: async (services, signal) => {
      const transport = mailTransportOf(services.env);
      await sendDueMails(services, { kinds: mails, readSite: readMailSite, transport, signal });
    },
  },
  {
    name: 'send-webhooks',
    everySeconds: 2,
    run: async (services, signal) => void (await sendDueWebhooks(services, { signal })),
  },
  {
    name: 'forget-old-deliveries',
    schedule: '50 3 * * *',
    run: ({ db }) => forgetOldDeliveries(db, 30),
  },
  {
    name: 'send-pushes',
    everySeconds: 2,
    run: async (services, signal) => {
      const site = await readMailSite(services.db, services.env);
      await sendDuePushes(services, { post: postPush, site, signal });
    },
  },
  {
    name: 'remind-of-favorites',
    schedule: '*/10 * * * *',
    run: ({ db }) => remindOfFavorites(db),
  },
  {
    name: 'forget-spent-attempts',
    schedule: '*/15 * * * *',
    run: async ({ db }) => {
      await forgetSpentAttempts(db);
      await forgetEndedSessions(db);
    },
  },
  {
    name: 'write-weekly-digest',
    schedule: '7 * * * 1,2',
    run: async ({ db, now }) => void (await writeWeeklyDigest(db, now())),
  },
  {
    name: 'forget-old-mails',
    schedule: '40 3 * * *',
    run: async ({ db }) => {
      await forgetOldMails(db, 90);
      await forgetOldPushes(db);
      await forgetOldAlertEvents(db);
    },
  },
  {
    name: 'make-bulk-changes',
    everySeconds: 2,
    run: (services, signal) => makeBulkChanges(services, signal),
  },
  {
    name: 'forget-deleted-deals',
    schedule: '*/10 * * * *',
    run: ({ db }) => forgetDeletedDeals(db),
  },
  { name: 'show-due-posts', schedule: '* * * * *', run: ({ db }) => showDuePosts(db) },
  { name: 'expire-deals', schedule: '* * * * *', run: ({ db }) => expireDeals(db) },
  {
    name: 'check-links',
    schedule: '* * * * *',
    run: (services, signal) => checkLinks(services, { signal }),
  },
  {
    name: 'run-imports',
    everySeconds: 2,
    run: async (services, signal) => void (await runQueuedImports(services, signal)),
  },
  {
    name: 'queue-due-imports',
    schedule: '* * * * *',
    run: async ({ db }) => void (await queueDueImports(db)),
  },
  { name: 'forget-old-imports', schedule: '20 4 * * *', run: forgetOldImports },
];
