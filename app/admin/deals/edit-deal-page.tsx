import { trashNote } from '#app/admin/frame/deletion-detail.tsx';
import { data, redirect } from 'react-router';
import type { Db } from '#database/connect.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import type { EditableDeal } from '#app/features/deals/deal-columns.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { listDealClicks } from '#app/features/clicks/click-figures.server.ts';
import { earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { describeEarned } from '#app/features/earnings/format-earned.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { findEditableDeal } from '#app/features/deals/publish-deal.server.ts';
import { decideHeldPrice } from '#app/features/deals/held-prices.server.ts';
import { listLoggedPrices, voidPrice } from '#app/features/deals/void-prices.server.ts';
import { keepsPriceHistory } from '#app/features/merchants/programme-queries.server.ts';
import {
  listMovedParts,
  removeMovedPrices,
} from '#app/features/moved-prices/prices-of-deal.server.ts';
import { findLinkedProduct } from '#app/features/products/review-links.server.ts';
import { findProductRequest } from '#app/features/search/product-requests.server.ts';
import { findRefusedPicture } from '#app/features/pictures/picture-queue.server.ts';
import { describeHistory } from '#app/features/prices/describe-history.ts';
import { type HistoryDays, parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { PriceHistory } from '#app/features/prices/price-history.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney, parseMoney } from '#app/platform/money.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { isWrittenIn } from '#app/platform/is-written-in.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import type { Route } from './+types/edit-deal-page';
import { ActForm } from '#app/ui/act-form.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { DayBars } from '../frame/day-bars.tsx';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { titled } from '../frame/titled.ts';
import { actOnProduct } from './act-on-product.server.ts';
import { blankDeal } from './deal-form-labels.ts';
import { DealProduct } from './deal-product.tsx';
import { DealForm } from './deal-form.tsx';
import styles from './deal-form.module.css';
import { fillFromOffer } from './fill-from-offer.server.ts';
import { listHref } from './list-href.ts';
import { NeighbourDeals } from './neighbour-deals.tsx';
import { LoggedPrices } from './logged-prices.tsx';
import { MovedParts } from './moved-parts.tsx';
import { dealFormValues } from './read-deal-form.server.ts';
import { saveDealForm } from './save-deal-form.server.ts';

/** The form of a new or stored deal, over the list. `?request=` fills in the link of a new deal. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'catalog.write');
  const { db, now } = appServices(context);
  const categories = await listCategories(db);
  const days = parseHistoryDays(new URL(request.url).searchParams.get('days'));
  const requestId = requestIn(request);
  const requested = requestId === null ? null : await findProductRequest(db, requestId);
  if (requested?.dealId) {
    const path = `/admin/deals/${requested.dealId}/edit`;
    throw redirectWithFlash(context, path, dealMessages.linkKnown);
  }
  const stored = params.id === undefined ? null : await readStored(db, params.id, days, now());
  const ids = stored && rights.has('earnings.read') ? [stored.deal.id] : [];
  const earned = await earningsOf(db, 'deal', ids, { days: 30, now: now() });
  return {
    stored,
    earned: earned.get(stored?.deal.id ?? 0) ?? [],
    link: requested?.link ?? '',
    categories: categories.map(({ id, name }) => ({ value: String(id), label: name })),
    days,
    backTo: listHref(request.url),
  };
}

/** Returns the id of the product request that the URL names. */
function requestIn(request: Request): number | null {
  return parseRowId(new URL(request.url).searchParams.get('request') ?? '');
}

const dealFacts = [
  'id',
  'slug',
  'title',
  'version',
  'is_active',
  'held_price',
  'sale_price',
  'currency',
] as const;

async function readStored(db: Db, id: string, days: HistoryDays, now: Date) {
  const deal = await findEditableDeal(db, parseRowId(id) ?? 0);
  if (!deal) throw data(null, { status: 404 });
  const settings = await readSiteSettings(db);
  const keepsHistory = await keepsPriceHistory(db, deal.merchant_id);
  const log = keepsHistory ? await readPriceHistory(db, deal.id, days) : [];
  const clicks = await listDealClicks(db, deal.id, now);
  const endedAt = deal.is_expired ? deal.expires_at : null;
  return {
    deal: pickFields(deal, dealFacts),
    values: await dealFormValues(db, deal, settings),
    clicks,
    refusedPicture: await findRefusedPicture(db, deal.image_url),
    keepsHistory,
    lines: await listLoggedPrices(db, deal.id),
    moved: await listMovedParts(db, deal.id),
    product: await findLinkedProduct(db, deal.id),
    history: describeHistory(log, { days, now, endedAt }, { ...settings, currency: deal.currency }),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const { db } = appServices(context);
  const id = params.id === undefined ? null : (parseRowId(params.id) ?? 0);
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');
  if (intent === 'fetch') return fillFromOffer(db, form);
  if (intent === 'void-price' && id !== null)
    return voidLine(context, request, form, { actor, id });
  if (intent === 'remove-moved-prices' && id !== null) {
    return (await removeMovedPrices(db, id, actor)) > 0
      ? redirectWithFlash(context, listAddress(request), dealMessages.movedPricesRemoved)
      : redirectWithError(context, listAddress(request), dealMessages.noMovedPrices);
  }
  const changed = id === null ? null : await actOnProduct(context, request, form, { actor, id });
  if (changed) return changed;
  if (id === null || (intent !== 'approve-price' && intent !== 'refuse-price')) {
    const [backTo, requestId] = [listHref(request.url), requestIn(request)];
    return saveDealForm(context, form, { actor, id, backTo, requestId });
  }
  const here = listAddress(request);
  const price = Number(readText(form, 'price'));
  if (!Number.isSafeInteger(price)) return redirect(here);
  const [answer, words] =
    intent === 'approve-price'
      ? (['approve', dealMessages.priceApproved] as const)
      : (['refuse', dealMessages.priceRefused] as const);
  return (await decideHeldPrice(db, actor, answer, id, price))
    ? redirectWithFlash(context, here, words)
    : redirectWithError(context, here, dealMessages.priceGone);
}

async function voidLine(
  context: Route.ActionArgs['context'],
  request: Request,
  form: FormData,
  { actor, id }: { actor: string; id: number },
) {
  const here = listAddress(request);
  const lineId = parseRowId(readText(form, 'line'));
  const reason = readText(form, 'reason').trim().slice(0, 500);
  if (lineId === null) throw data(null, { status: 400 });
  if (reason === '') return redirectWithError(context, here, dealMessages.noVoidReason);
  const { db } = appServices(context);
  const { currency } = await readSiteSettings(db);
  if (!isWrittenIn(form, currency)) {
    return redirectWithError(context, here, dealMessages.otherCurrency(currency));
  }
  const typed = parseMoney(readText(form, 'price'), currency);
  const price = typed === 0 ? null : typed;
  const result = await voidPrice(db, { actor, dealId: id, lineId, reason, price });
  return result.ok
    ? redirectWithFlash(context, here, dealMessages.priceVoided)
    : redirectWithError(context, here, dealMessages.notVoided[result.reason]);
}

export const meta = titled('Edit Deal', 'Create New Deal');

export default function EditDealPage({ loaderData, actionData }: Route.ComponentProps) {
  const { stored, earned, link, categories, days, backTo } = loaderData;
  const deal = stored?.deal;
  return (
    <FormDialog
      title={deal?.title ?? 'Create New Deal'}
      kind={deal && 'Edit Deal'}
      closeHref={backTo}
      isSide
    >
      {deal ? <DealActs deal={deal} backTo={backTo} /> : null}
      <div className={deal && `stack top gap-6 ${styles.page}`}>
        <DealForm
          key={`${deal?.id} ${deal?.version}`}
          stored={stored?.values ?? { ...blankDeal, deal_url: link }}
          refusedPicture={stored?.refusedPicture}
          answer={actionData}
          categories={categories}
          version={deal?.version}
          submitLabel={deal ? 'Update Deal' : 'Create Deal'}
          cancelHref={backTo}
        />
        {stored ? (
          <aside className={styles.aside} aria-label="Clicks and prices">
            {stored.deal.held_price === null ? null : <HeldPrice price={stored.deal.held_price} />}
            <OtherCurrency deal={stored.deal} />
            <DealProduct product={stored.product} />
            <section className={styles.clicks} aria-labelledby="clicks">
              <h2 id="clicks">Clicks</h2>
              <DayBars title="To the store, in 30 days" days={stored.clicks} />
              {earned.length > 0 ? (
                <p className="small">
                  {describeEarned(
                    earned,
                    stored.clicks.reduce((sum, { count }) => sum + count, 0),
                  )}
                </p>
              ) : null}
            </section>
            <PriceHistory
              history={stored.history}
              days={days}
              path={backTo.replace(dealsTable.path, `/admin/deals/${stored.deal.id}/edit`)}
              keepsHistory={stored.keepsHistory}
              merchantName={stored.values.merchant}
            />
            <LoggedPrices lines={stored.lines} />
            <MovedParts parts={stored.moved} />
          </aside>
        ) : null}
      </div>
    </FormDialog>
  );
}

function DealActs({
  deal: { id, slug, title, is_active },
  backTo,
}: {
  deal: Pick<EditableDeal, (typeof dealFacts)[number]>;
  backTo: string;
}) {
  return (
    <div className="bar gap-2 below-4">
      <NeighbourDeals id={id} />
      {is_active ? (
        <a href={`/deals/${slug}`} className={buttonClass()}>
          View on site
        </a>
      ) : null}
      <ActForm fields={{ intent: 'duplicate', id: String(id) }} action={backTo}>
        <Button type="submit">Duplicate</Button>
      </ActForm>
      <ConfirmAct
        label="Delete"
        variant="remove"
        question={dealMessages.deleteQuestion}
        detail={
          <p>
            “{title}” is deleted with its price history, favorites and alerts. {trashNote}
          </p>
        }
        confirmLabel="Delete deal"
        fields={{ intent: 'delete', id: String(id) }}
        action={backTo}
      />
    </div>
  );
}

/** Shows the last price of a deal without one in the site's currency. */
function OtherCurrency({ deal }: { deal: { sale_price: number; currency: string } }) {
  const site = useSite();
  if (deal.currency === site.currency) return null;
  return (
    <section className={styles.held} aria-labelledby="other-currency">
      <h2 id="other-currency">Waiting for a price in {site.currency}</h2>
      <p>{`The last price was ${formatMoney(deal.sale_price, deal.currency)} (${deal.currency}), before the site’s currency changed. Visitors do not see the deal until it has a price in ${site.currency}.`}</p>
    </section>
  );
}

/** Shows a feed's price drop of more than 90%, held for a person to review. */
function HeldPrice({ price }: { price: number }) {
  const { currency } = useSite();
  return (
    <section className={styles.held} aria-labelledby="held-price">
      <h2 id="held-price">A price needs your review</h2>
      <p>
        The feed says {formatMoney(price, currency)}, a drop of more than 90%. Visitors see the old
        price until you decide.
      </p>
      <ActForm fields={{ price: String(price) }} className="bar gap-2">
        <Button type="submit" name="intent" value="approve-price" variant="primary">
          Publish this price
        </Button>
        <Button type="submit" name="intent" value="refuse-price">
          Reject price
        </Button>
      </ActForm>
    </section>
  );
}
