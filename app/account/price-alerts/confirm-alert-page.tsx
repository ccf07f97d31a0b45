import { data, Form, redirect } from 'react-router';
import type { Route } from './+types/confirm-alert-page';
import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import { describeWish } from '#app/features/price-alerts/alert-kind.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { confirmAlert } from '#app/features/price-alerts/confirm-alert.server.ts';
import { alertListPath, readWatchLink } from '#app/features/price-alerts/watch-link.server.ts';
import {
  findWatcherByAddress,
  findWatchRequest,
} from '#app/features/price-alerts/watcher-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import type { Db } from '#database/connect.ts';
import styles from './price-alerts-page.module.css';

/** The link of the confirmation mail. Opening it changes nothing; its button does (R15). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const asked = await readRequest(db, request);
  // Followed again: it leads to what it began.
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
  const outcome = await confirmAlert(db, asked.id);
  if (!outcome.ok) return data({ error: outcome.message }, { status: outcome.status });
  const word = outcome.hasFired ? 'fired' : 'created';
  const { owner } = outcome;
  if ('userId' in owner) throw redirect(`/price-alerts?${word}`, 303);
  throw redirect(`${await alertListPath(db, owner.watcherId)}&${word}`, 303);
}

async function readRequest(db: Db, request: Request) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const id = await readWatchLink(db, 'confirm', token);
  return id === null ? null : findWatchRequest(db, id);
}

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Confirm Price Alert | ${name}` }, { name: 'robots', content: 'noindex' }];
}

export default function ConfirmAlertPage({ loaderData, actionData }: Route.ComponentProps) {
  const { currency } = useSite();
  const { asked } = loaderData;
  if (!asked) {
    return (
      <MessagePanel
        icon="alert"
        title="Invalid Link"
        level={1}
        actions={<ButtonLink to="/deals">See today’s deals</ButtonLink>}
      >
        <p>{alertMessages.requestGone} Ask for the alert again on the deal’s page.</p>
      </MessagePanel>
    );
  }
  const wish = describeWish(asked, (cents) => formatMoney(cents, currency));
  return (
    <>
      <PageHeading title="Confirm your price alert">
        {`Shall we write to ${asked.email} about this deal?`}
      </PageHeading>
      <div className={styles.narrow}>
        <Form method="post" className={forms.stack}>
          <AlertDealSummary deal={asked.deal} currency={currency} />
          <p>
            We write when <strong>{wish}</strong>.
          </p>
          <FormNotice text={actionData?.error} kind="error" />
          <div className={forms.actions}>
            <Button type="submit" look="primary">
              Watch this price
            </Button>
          </div>
        </Form>
      </div>
    </>
  );
}
