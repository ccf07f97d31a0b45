import { data, Form, redirect } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { saveDeal } from '#app/features/deals/manage-deal.server.ts';
import { findEditableDeal } from '#app/features/deals/publish-deal.server.ts';
import {
  approveHeldPrice,
  refuseHeldPrice,
} from '#app/features/feeds/review/held-prices.server.ts';
import { keepsPriceHistory } from '#app/features/merchants/programme-queries.server.ts';
import { describeHistory } from '#app/features/prices/describe-history.ts';
import { parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { PriceHistory } from '#app/features/prices/price-history.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import type { Route } from './+types/edit-deal-page';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { listAddress, redirectWithFlash } from '../frame/flash.server.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { typedValues } from '../frame/form-outcome.ts';
import { DealForm, type DealFormAnswer } from './deal-form.tsx';
import { readDealFormChoices, refuseDeal } from './deal-form-choices.server.ts';
import styles from './deal-form.module.css';
import { editHref, listHref } from './edit-href.ts';
import { fillFromOffer } from './fill-from-offer.server.ts';
import { dealFormValues, readDealForm } from './read-deal-form.server.ts';

export async function loader({ params, request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db, now } = appServices(context);
  const deal = await findEditableDeal(db, parseRowId(params.id) ?? 0);
  if (!deal) throw data(null, { status: 404 });
  const { categories, timeZone, currency } = await readDealFormChoices(db);
  const days = parseHistoryDays(new URL(request.url).searchParams.get('days'));
  const keepsHistory = await keepsPriceHistory(db, deal.merchant_id);
  const log = keepsHistory ? await readPriceHistory(db, deal.id, days) : [];
  const endedAt = deal.is_expired ? deal.expires_at : null;
  const values = await dealFormValues(db, deal, timeZone);
  const { id, slug, title, version, is_active, held_price } = deal;
  return {
    deal: { id, slug, title, version, is_active, held_price, merchant: values.merchant },
    values,
    categories,
    days,
    keepsHistory,
    history: describeHistory(log, { days, now: now(), endedAt }, { currency, timeZone }),
    backTo: listHref(request.url),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const services = appServices(context);
  const { db } = services;
  const id = parseRowId(params.id) ?? 0;
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');
  if (intent === 'fetch') return fillFromOffer(services, form);
  if (intent === 'approve-price' || intent === 'refuse-price') {
    const isApproved = intent === 'approve-price';
    const price = Number(readText(form, 'price'));
    if (!Number.isSafeInteger(price)) return redirect(listAddress(request));
    const isDone = isApproved
      ? await approveHeldPrice(db, actor, id, price)
      : await refuseHeldPrice(db, actor, id, price);
    const words = isApproved ? dealMessages.priceApproved : dealMessages.priceRefused;
    return redirectWithFlash(
      context,
      listAddress(request),
      isDone ? words : dealMessages.priceGone,
      {
        kind: isDone ? 'info' : 'error',
      },
    );
  }
  const { timeZone } = await readDealFormChoices(db);
  const read = await readDealForm(db, form, timeZone);
  const values = typedValues(form);
  if (!read.ok) {
    const outcome = { ok: false as const, errors: read.errors, values };
    return data<DealFormAnswer>({ outcome }, { status: 422 });
  }
  const version = Number(readText(form, 'version'));
  const result = await saveDeal(
    db,
    actor,
    id,
    read.input,
    Number.isSafeInteger(version) ? version : 0,
  );
  if (result.ok) return redirectWithFlash(context, listHref(request.url), dealMessages.updated);
  if (result.reason === 'not-found') {
    const outcome = { ok: false as const, message: dealMessages.goneWhileEdited, values };
    return data<DealFormAnswer>({ outcome }, { status: 404 });
  }
  if (result.reason === 'changed-meanwhile') {
    const current = await dealFormValues(db, result.current, timeZone);
    const conflict = { version: result.current.version, current };
    const outcome = {
      ok: false as const,
      message: dealMessages.changedMeanwhile,
      values,
      conflict,
    };
    return data<DealFormAnswer>({ outcome }, { status: 409 });
  }
  return refuseDeal(form, result.reason);
}

export function meta() {
  return [{ title: 'Edit Deal' }];
}

export default function EditDealPage({ loaderData, actionData }: Route.ComponentProps) {
  const { deal, values, categories, days, keepsHistory, history, backTo } = loaderData;
  return (
    <FormDialog title="Edit Deal" closeHref={backTo} isVeryWide>
      <div className={styles.top}>
        {deal.is_active ? (
          <a href={`/deals/${deal.slug}`} className={buttonClass()}>
            View on site
          </a>
        ) : null}
        <Form method="post" action={backTo}>
          <input type="hidden" name="intent" value="duplicate" />
          <input type="hidden" name="id" value={deal.id} />
          <Button type="submit">Duplicate</Button>
        </Form>
        <ConfirmAct
          label="Delete"
          look="danger"
          question={dealMessages.deleteQuestion}
          detail={<p>“{deal.title}” goes with its price history, favorites and alerts.</p>}
          confirmLabel="Delete deal"
          fields={{ intent: 'delete', id: String(deal.id) }}
          action={backTo}
        />
      </div>
      <div className={styles.page}>
        <DealForm
          key={`${deal.id} ${deal.version}`}
          stored={values}
          answer={actionData}
          categories={categories}
          version={deal.version}
          submitLabel="Update Deal"
          cancelHref={backTo}
        />
        <aside className={styles.aside} aria-label="Prices so far">
          {deal.held_price === null ? null : <HeldPrice price={deal.held_price} />}
          <PriceHistory
            history={history}
            days={days}
            path={editHref(deal.id, backTo.slice(dealsTable.path.length))}
            keepsHistory={keepsHistory}
            merchantName={deal.merchant}
          />
        </aside>
      </div>
    </FormDialog>
  );
}

/** P7b: a fall of more than 90 % from a feed waits for a person. */
function HeldPrice({ price }: { price: number }) {
  const { currency } = useSite();
  return (
    <section className={styles.held} aria-labelledby="held-price">
      <h2 id="held-price">A price waits for you</h2>
      <p>
        The feed says {formatMoney(price, currency)}, a fall of more than 90 %. Visitors see the old
        price until you decide.
      </p>
      <Form method="post" className={styles.acts}>
        <input type="hidden" name="price" value={price} />
        <Button type="submit" name="intent" value="approve-price" look="primary">
          Publish this price
        </Button>
        <Button type="submit" name="intent" value="refuse-price">
          Refuse it
        </Button>
      </Form>
    </section>
  );
}
