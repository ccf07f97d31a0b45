import { data, redirect } from 'react-router';
import type { Route } from './+types/confirm-alert-page';
import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import { describeWish } from '#app/features/price-alerts/alert-kind.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { alertListPath, readWatchLink } from '#app/features/price-alerts/watch-link.server.ts';
import { findWatcherByAddress } from '#app/features/price-alerts/watcher-queries.server.ts';
import { confirmRequest } from '#app/features/watched-searches/confirm-request.server.ts';
import { cadenceWords, productWords } from '#app/features/watched-searches/watch-cadence.ts';
import { findWatchRequest } from '#app/features/watched-searches/watch-requests.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import type { Db } from '#database/connect.ts';
import { confirmedNotice, overList } from './alert-notices.ts';

/**
 * Shows the request that a link confirms. Opening the page changes nothing; its button confirms.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const asked = await readRequest(db, request);
  // A second visit redirects to the list.
  if (asked?.confirmed_at) {
    const watcherId = await findWatcherByAddress(db, asked.email);
    throw redirect(await alertListPath(db, watcherId));
  }
  return data({ asked }, { status: asked ? 200 : 404 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db } = appServices(context);
  const asked = await readRequest(db, request);
  if (!asked) return data({ error: alertMessages.requestGone }, { status: 404 });
  const outcome = await confirmRequest(db, asked.id);
  if (!outcome.ok) return data({ error: outcome.message }, { status: outcome.status });
  const { owner } = outcome;
  const watcherId = 'userId' in owner ? null : owner.watcherId;
  throw redirect(overList(await alertListPath(db, watcherId), confirmedNotice(outcome)), 303);
}

async function readRequest(db: Db, request: Request) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const id = await readWatchLink(db, 'confirm', token);
  return id === null ? null : findWatchRequest(db, id);
}

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Confirm Your Alert | ${name}` }, { name: 'robots', content: 'noindex' }];
}

const words = {
  deal: { title: 'Confirm your price alert', button: 'Watch this price' },
  search: { title: 'Confirm your watched search', button: 'Watch this search' },
  product: { title: 'Confirm your price alert', button: 'Watch this price' },
} as const;

export default function ConfirmAlertPage({ loaderData, actionData }: Route.ComponentProps) {
  const { currency } = useSite();
  const { asked } = loaderData;
  if (!asked) {
    return (
      <DeadLinkPanel actions={<ButtonLink to="/deals">See today’s deals</ButtonLink>}>
        <p>
          {alertMessages.requestGone} You can request it again on the page of the deal or the list.
        </p>
      </DeadLinkPanel>
    );
  }
  const { title, button } = words[asked.what];
  return (
    <NarrowPage title={title} intro={`Email ${asked.email} about this ${asked.what}?`}>
      <form method="post" data-in-place="" className={forms.stack}>
        {asked.what === 'deal' ? (
          <>
            <AlertDealSummary deal={asked.deal} currency={currency} />
            <p>
              We’ll email you when{' '}
              <strong>{describeWish(asked, (amount) => formatMoney(amount, currency))}</strong>.
            </p>
          </>
        ) : (
          <>
            <Link to={asked.address}>{asked.name}</Link>
            <p>
              We’ll email you{' '}
              {asked.what === 'product' ? productWords[asked.cadence] : cadenceWords[asked.cadence]}
              .
            </p>
          </>
        )}
        <FormNotice text={actionData?.error} kind="error" />
        <Button type="submit" variant="primary" isWide>
          {button}
        </Button>
      </form>
    </NarrowPage>
  );
}
