import { data } from 'react-router';
import type { Route } from './+types/savings-page';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { describeTotal } from '#app/features/favorites/describe-savings.ts';
import { listSavings, type Saving } from '#app/features/favorites/savings-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './savings-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const user = currentUser(context);
  if (!user) return data(null, { status: 401 });
  const { savings, deals, total } = await listSavings(db, user.id);
  const { currency, timeZone } = await readSiteSettings(db);
  const tell = ({ deal_id: id, slug, title, merchant, by, ...figures }: Saving) => ({
    id,
    slug,
    title,
    merchant,
    saved: formatMoney(figures.saved, currency),
    before: `${formatMoney(figures.before, currency)} when you ${by === 'alert' ? 'set an alert' : 'saved it'} on ${shortDate(figures.before_at, timeZone)}`,
    after: `${formatMoney(figures.after, currency)} ${by === 'alert' ? 'when we alerted you' : 'now, since'} ${shortDate(figures.after_at, timeZone)}`,
  });
  return data({
    total: describeTotal(total, deals, currency),
    left: deals - savings.length,
    savings: savings.map(tell),
  });
}

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Your Savings | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

export default function SavingsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) {
    return (
      <>
        <PageHeading title="Your Savings" />
        <MessagePanel
          icon="heart"
          title="Sign In Required"
          actions={<PrimaryLink to="/sign-in?returnTo=/favorites/saved">Sign In</PrimaryLink>}
        >
          Please sign in to see your savings.
        </MessagePanel>
      </>
    );
  }
  const { total, left, savings } = loaderData;
  return (
    <>
      <PageHeading title="Your Savings">
        Deals that became cheaper after you saved them or set an alert, according to our price log.
      </PageHeading>
      <p className={styles.total}>
        <strong className={styles.amount} data-none={savings.length === 0 || undefined}>
          {total.amount}
        </strong>{' '}
        {total.text}
      </p>
      {savings.length === 0 ? null : (
        <ol className={styles.savings} aria-label="Savings, the largest first">
          {savings.map((saving) => (
            <li key={saving.id} className={styles.saving}>
              <strong className={styles.saved}>{saving.saved}</strong>
              <span>
                <Link to={`/deals/${saving.slug}#price-history`}>{saving.title}</Link>
                <span className={styles.facts}>
                  {saving.merchant}: {saving.before}; {saving.after}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {left > 0 ? <p className={styles.facts}>And {left.toLocaleString('en-US')} more.</p> : null}
      <p className={styles.facts}>
        Each deal counts once: at the lowest price an alert reported, or at a favorite’s price
        today. <Link to="/favorites">My favorites</Link>{' '}
        <Link to="/price-alerts">My price alerts</Link>
      </p>
    </>
  );
}
