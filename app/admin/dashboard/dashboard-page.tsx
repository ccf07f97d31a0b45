import { data, Form, useNavigation } from 'react-router';
import type { Route } from './+types/dashboard-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { removeDemoData, seedSampleData } from '#app/features/desk/demo-data.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import {
  countAttention,
  listActivity,
  readAdminStats,
  readFirstSteps,
} from '#app/features/desk/desk-queries.server.ts';
import { firstSteps } from '#app/features/desk/first-steps.ts';
import { describeAttention } from '#app/features/desk/describe-attention.ts';
import { listSilentStores } from '#app/features/earnings/silent-stores.server.ts';
import { listRecentFigures } from '#app/features/desk/recent-days.server.ts';
import { examineHealth } from '#app/features/desk/examine-health.server.ts';
import { countHeldMailing } from '#app/features/desk/count-held-mailing.server.ts';
import {
  listBrokenSettings,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { mailEnvOf } from '#app/features/site-settings/mail-env.ts';
import { describeClosed } from '#app/features/site-settings/closed-site.ts';
import { changeSetting } from '#app/features/site-settings/change-settings.server.ts';
import { type AppServices, appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button } from '#app/ui/button.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { Activity } from './activity.tsx';
import { Attention, Checklist, QuickActions, SystemStatus } from './dashboard-panels.tsx';
import { RecentDays } from './recent-days.tsx';
import styles from './dashboard-page.module.css';

export function loader({ context }: Route.LoaderArgs) {
  const user = requireRight(context, 'dashboard.read');
  return readOrFail(context, 'dashboard', () => readDashboard(appServices(context), user));
}

/** Reads everything on the dashboard. */
async function readDashboard(services: AppServices, user: SessionUser) {
  const { db, env, now } = services;
  const settings = await readSiteSettings(db);
  const [stats, waiting, broken, heldMailing, silentStores, recent, activity, health, did] =
    await Promise.all([
      readAdminStats(db),
      countAttention(db),
      listBrokenSettings(db),
      countHeldMailing(db, settings),
      listSilentStores(db, now()),
      listRecentFigures(db, user.rights, now()),
      listActivity(db, now()),
      examineHealth(services, user.id),
      readFirstSteps(db),
    ]);
  const attention = describeAttention(
    {
      ...waiting,
      brokenSettings: broken.length,
      heldMailing,
      silentStores: silentStores.length,
    },
    describeClosed(settings.maintenance),
  );
  const steps = firstSteps({
    ...did,
    hasLogo: settings.logoUrl !== '',
    hasMailServer: mailEnvOf(env, settings).smtp !== null,
    hasPostalAddress: settings.postalAddress !== '',
  });
  const isToDo = !settings.checklistDismissed && steps.some(({ isDone }) => !isDone);
  return { stats, attention, recent, activity, health, steps: isToDo ? steps : [] };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'settings.write').id;
  const { services, db, intent } = await readPost(context, request);
  const say = (words: string, kind: 'info' | 'error' = 'info') =>
    redirectWithFlash(context, '/admin', words, { kind });
  switch (intent) {
    case 'seed': {
      const result = await seedSampleData(services, actor);
      if (!result.ok) return say(deskMessages.seedFailed(result.message), 'error');
      return say(result.added ? deskMessages.seeded : result.message);
    }
    case 'remove-demo':
      return say(deskMessages.demoRemoved(await removeDemoData(services, actor)));
    case 'dismiss-checklist':
      await changeSetting(db, 'checklistDismissed', true, actor);
      return say('The checklist is hidden.');
    default:
      throw data(null, 400);
  }
}

export const meta = () => [{ title: 'Admin Dashboard' }];

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Admin Dashboard" failure={loaderData} />;
  const { stats, attention, recent, activity, health, steps } = loaderData;
  return (
    <>
      <AdminHeading title="Admin Dashboard" more={<HeadingActs />} />
      <RecentDays figures={recent} />
      <Attention items={attention} />
      <Checklist steps={steps} />
      <StatCards
        stats={[
          { label: 'Total Deals', value: stats.deals, href: '/admin/deals?status=active' },
          {
            label: 'Featured Deals',
            value: stats.featuredDeals,
            href: '/admin/deals?status=active&show=featured',
          },
          { label: 'Total Merchants', value: stats.merchants, href: '/admin/merchants' },
          {
            label: 'Featured Merchants',
            value: stats.featuredMerchants,
            href: '/admin/merchants?show=featured',
          },
          { label: 'Total Categories', value: stats.categories, href: '/admin/categories' },
          { label: 'Total Users', value: stats.users, href: '/admin/users' },
        ]}
      />
      <Activity days={activity} />
      <div className={styles.columns}>
        <SystemStatus results={health} />
        <QuickActions />
      </div>
    </>
  );
}

function HeadingActs() {
  const navigation = useNavigation();
  const isSeeding = navigation.formData?.get('intent') === 'seed';
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === '/admin';
  return (
    <>
      <Form>
        <Button type="submit" isBusy={isLoading}>
          Refresh
        </Button>
      </Form>
      <ConfirmAct
        label={isSeeding ? deskMessages.seeding : 'Seed Data'}
        question={deskMessages.confirmSeed}
        detail={
          <p>
            6 categories, 3 merchants and 2 deals. Does nothing if there are categories already.
          </p>
        }
        confirmLabel="Seed Data"
        confirmVariant="primary"
        fields={{ intent: 'seed' }}
      />
    </>
  );
}
