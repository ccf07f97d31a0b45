import { data, Form, Link, useNavigation } from 'react-router';
import type { Route } from './+types/dashboard-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { actOnDashboard } from './act-on-dashboard.server.ts';
import { Activity } from './activity.tsx';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import styles from './dashboard-page.module.css';
import { readDashboard } from './read-dashboard.server.ts';
import { SystemStatus } from './system-status.tsx';

export function loader({ context }: Route.LoaderArgs) {
  const user = requireRight(context, 'dashboard.read');
  return readOrSay(context, 'dashboard', () => readDashboard(appServices(context), user.id));
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'settings.write').id;
  const done = await actOnDashboard(
    context,
    actor,
    readText(await readFormBody(request), 'intent'),
  );
  if (done === null) throw data(null, 400);
  return done;
}

export function meta() {
  return [{ title: 'Admin Dashboard' }];
}

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Admin Dashboard" failure={loaderData} />;
  const { stats, attention, activity, health, steps } = loaderData;
  return (
    <>
      <AdminHeading title="Admin Dashboard" more={<HeadingActs />} />
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
        <SystemStatus findings={health} />
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
          <p>6 categories, 3 merchants and 2 deals; nothing where there are categories already.</p>
        }
        confirmLabel="Seed Data"
        confirmLook="primary"
        fields={{ intent: 'seed' }}
      />
    </>
  );
}

const quickActions = [
  { href: '/admin/deals', label: 'Manage deals' },
  { href: '/admin/merchants', label: 'Manage merchants' },
  { href: '/admin/categories', label: 'Manage categories' },
  { href: '/admin/blog', label: 'Manage the blog' },
];

function QuickActions() {
  return (
    <section className={styles.panel} aria-labelledby="quick-actions">
      <h2 id="quick-actions">Quick actions</h2>
      <ul className={styles.quick}>
        {quickActions.map(({ href, label }) => (
          <li key={href}>
            <Link to={href} className={buttonClass({ isWide: true })}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
