import {
  countAttention,
  listActivity,
  readAdminStats,
  readFirstSteps,
} from '#app/features/desk/desk-queries.server.ts';
import { firstSteps } from '#app/features/desk/first-steps.ts';
import { describeAttention } from '#app/features/desk/describe-attention.ts';
import { examineHealth } from '#app/features/desk/examine-health.server.ts';
import { countHeldMailing } from '#app/features/desk/count-held-mailing.server.ts';
import {
  listBrokenSettings,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/** All the dashboard shows, measured now. */
export async function readDashboard(services: AppServices, userId: string) {
  const { db, env, now } = services;
  const settings = await readSiteSettings(db);
  const [stats, waiting, broken, heldMailing, activity, health, did] = await Promise.all([
    readAdminStats(db),
    countAttention(db),
    listBrokenSettings(db),
    countHeldMailing(db, settings),
    listActivity(db, now()),
    examineHealth(services, userId),
    readFirstSteps(db),
  ]);
  const attention = describeAttention({ ...waiting, brokenSettings: broken.length, heldMailing });
  const steps = firstSteps({
    ...did,
    hasLogo: settings.logoUrl !== '',
    hasMailServer: env.mail.smtp !== null,
    hasPostalAddress: settings.postalAddress !== '',
  });
  const isToDo = !settings.checklistDismissed && steps.some(({ isDone }) => !isDone);
  return { stats, attention, activity, health, steps: isToDo ? steps : [] };
}
