import { data, redirect } from 'react-router';
import type { Route } from './+types/new-alert-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import type { DealAlertForm } from '#app/features/price-alerts/alert-dialog.tsx';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { listRulesOfDeal } from '#app/features/price-alerts/alert-queries.server.ts';
import { createAlert, readRule } from '#app/features/price-alerts/create-alert.server.ts';
import type { GuestAlertAnswer } from '#app/features/price-alerts/guest-alert-form.tsx';
import { findAlertDeals } from '#app/features/price-alerts/find-alert-deals.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { findDealIds } from '#app/features/search/search-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { useFailedAct } from '#app/islands/failed-acts/failed-act-context.ts';
import { Island } from '#app/islands/island.tsx';
import { type AppServices, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { wantsJson } from '#app/platform/wants-json.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import type { Db } from '#database/connect.ts';
import { answerGuest, emailOf } from './answer-guest.server.ts';
import styles from './price-alerts-page.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = appServices(context);
  const user = currentUser(context);
  const { searchParams } = new URL(request.url);
  const query = cleanSearchText(searchParams.get('q') ?? '');
  const dealId = parseRowId(searchParams.get('deal'));
  const asked = dealId === null ? null : await findDealById(db, dealId);
  const refusal = dealId === null ? null : refusalOf(asked, now());
  const deal = refusal === null ? asked : null;
  return {
    query,
    refusal,
    isGuest: user === null,
    rules: user && deal ? await listRulesOfDeal(db, user.id, deal.id) : [],
    deal: deal && {
      ...pickFields(deal, ['id', 'title', 'picture', 'sale_price']),
      merchantName: deal.merchant.name,
    },
    ...(deal || query.length < shortestQuery ? nothingFound : await findDeals(db, query)),
  };
}

function refusalOf(deal: Awaited<ReturnType<typeof findDealById>>, now: Date): string | null {
  if (deal === null) return alertMessages.dealGone;
  if (!deal.merchant.allow_alerts) return alertMessages.notAllowed;
  return isPriceHidden(deal, now) ? alertMessages.priceHidden : null;
}

const shortestQuery = 2;
const nothingFound = { found: null, correctedQuery: null };

async function findDeals(db: Db, query: string) {
  const { ids, correctedQuery } = await findDealIds(db, query);
  return { found: await findAlertDeals(db, ids), correctedQuery };
}

/**
 * Creates an alert. `via=dialog` returns a message instead of a page. Signed-out visitors must
 * enter an email address.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, db, form, text, rowId } = await readPost(context, request);
  const user = currentUser(context);
  const refuse = (message: string, status: number, headers = {}) =>
    data({ ok: false, message }, { status, headers });
  if (!user) {
    if (!form.has('email')) return refuseUnasked(request);
    const sent = { form, address: requestFacts(context).address };
    return answerGuestAlert(services, sent, rowId('deal_id'));
  }
  const admitted = await limit(services, 'member-write', user.id);
  if (!admitted.ok) return refuse(tooManyAttempts, 429, retryAfter(admitted));
  const dealId = rowId('deal_id');
  if (dealId === null) return refuse(alertMessages.createFailed, 422);
  const { currency } = await readSiteSettings(db);
  const outcome = await createAlert(db, { userId: user.id }, dealId, form, currency);
  if (!outcome.ok) return refuse(outcome.message, outcome.status);
  const { rule, isNew, hasFired } = outcome;
  const page = hasFired ? 'fired' : isNew ? 'created' : 'saved';
  if (text('via') !== 'dialog') throw redirect(`/price-alerts?${page}`, 303);
  const rules = await listRulesOfDeal(db, user.id, dealId);
  if (!user.emailVerified) {
    const { changed, unproved, createdUnproved, firedUnproved } = alertMessages;
    const saved = isNew ? createdUnproved : `${changed} ${unproved}`;
    const message = hasFired ? firedUnproved : saved;
    return data({ ok: true, message, rules, unproved: user.email });
  }
  const created = rule.kind === 'target' ? alertMessages.created : alertMessages.createdOther;
  const message = { fired: alertMessages.firedAtOnce, saved: alertMessages.changed, created }[page];
  return data({ ok: true, message, rules });
}

async function answerGuestAlert(
  services: AppServices,
  sent: { form: FormData; address: string },
  dealId: number | null,
) {
  const refuse = (message: string, status: number) =>
    data<GuestAlertAnswer>({ ok: false, message, email: emailOf(sent.form) }, { status });
  if (dealId === null) return refuse(alertMessages.createFailed, 422);
  const { currency } = await readSiteSettings(services.db);
  const read = await readRule(services.db, dealId, sent.form, currency);
  if (!read.ok) return refuse(read.message, read.status);
  const { rule } = read;
  return answerGuest<Pick<GuestAlertAnswer, 'rule'>>(services, sent, { dealId, rule }, { rule });
}

/** Refuses a form whose session has expired: scripts get a message, pages a redirect to sign in. */
function refuseUnasked(request: Request) {
  if (wantsJson(request)) {
    return data({ ok: false, message: alertMessages.notSignedIn }, { status: 401 });
  }
  const { pathname, search } = new URL(request.url);
  const here = `${pathname.replace(/\.data$/, '')}${search}`;
  throw redirect(`/sign-in?returnTo=${encodeURIComponent(here)}`);
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `New Price Alert | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

export default function NewAlertPage({ loaderData, actionData }: Route.ComponentProps) {
  const { deal, rules, query, found, correctedQuery, refusal, isGuest } = loaderData;
  const { currency } = useSite();
  const typed = useFailedAct()?.values;
  const error = actionData && !actionData.ok ? actionData.message : null;
  return (
    <NarrowPage
      title={rules.length > 0 ? 'Edit Price Alert' : 'New Price Alert'}
      intro={deal ? 'Set the price you want to pay.' : 'Find the deal you want to watch.'}
    >
      {deal ? (
        <>
          <Island<typeof DealAlertForm>
            name="deal-alert-form"
            props={{
              deal,
              currency,
              rules: isGuest ? null : rules,
              answer: actionData ?? null,
              typed,
            }}
          />
          <p data-before-done>
            <Link to="/price-alerts/new">Choose another deal</Link>
          </p>
        </>
      ) : (
        <>
          <FormNotice text={refusal ?? error ?? undefined} kind="error" />
          <form className={styles.picker} action="/price-alerts/new">
            <label htmlFor="alert-search">Search deals</label>
            <div className={styles.pickerRow}>
              <input
                id="alert-search"
                type="search"
                name="q"
                defaultValue={query}
                minLength={shortestQuery}
                maxLength={100}
                required
              />
              <Button type="submit" variant="primary">
                Find
              </Button>
            </div>
          </form>
          <p role="status" className="small">
            {found?.length ? describeFound(found.length, correctedQuery) : ''}
          </p>
          {found === null ? null : found.length === 0 ? (
            <MessagePanel icon="search" title="No deals found">
              Try a shorter word, or another one.
            </MessagePanel>
          ) : (
            <ul className={`stack gap-4 ${styles.found}`}>
              {found.map((one) => (
                <li key={one.id}>
                  <DealPicture src={one.picture} alt="" title={one.title} sizes="5rem" most={320} />
                  <span>
                    <strong>{one.title}</strong>
                    <span className="small">
                      {one.merchantName} · {formatMoney(one.sale_price, currency)}
                    </span>
                  </span>
                  <ButtonLink
                    to={`/price-alerts/new?deal=${one.id}`}
                    aria-label={`Choose ${one.title}, ${formatMoney(one.sale_price, currency)}`}
                  >
                    Choose
                  </ButtonLink>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </NarrowPage>
  );
}

function describeFound(count: number, correctedQuery: string | null): string {
  const deals = count === 1 ? '1 deal' : `The best ${count} deals`;
  return correctedQuery === null ? deals : `${deals} for “${correctedQuery}”`;
}
