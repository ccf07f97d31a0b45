import { data } from 'react-router';
import type { Route } from './+types/check-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  endOf,
  readAskedPrice,
  readAskedProduct,
} from '#app/features/search/read-asked-product.server.ts';
import { requestedLink } from '#app/features/search/requested-link.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Island } from '#app/islands/island.tsx';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DealCards } from '#app/storefront/deals/deal-cards.tsx';
import { answerReport } from '#app/storefront/reports/answer-report.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { CheckedDeal } from './checked-deal.tsx';
import type { ProductRequestForm } from './product-request-form.tsx';
import { type CheckedProduct, readCheckedProduct } from './read-checked-product.server.ts';
import { requestProduct } from './request-product.server.ts';
import styles from './check-page.module.css';

/** characters */
const longestPrice = 40;

/**
 * Shows what is known about a product of any store, by its URL. The page makes no third-party
 * request, stores nothing unless the visitor asks for the product, and is never cached.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const services = appServices(context);
  const parameters = new URL(request.url).searchParams;
  const asked = readAskedProduct(parameters, services.env.origin);
  const typedPrice = (parameters.get('price') ?? '').toWellFormed().slice(0, longestPrice);
  const { currency } = await cachedSettings(services);
  const { amount, error: priceError } = readAskedPrice(typedPrice, currency);
  const now = services.now();
  const form = { typed: '', title: '', of: '', typedPrice, error: null, priceError };
  const answer = { now, currency, form, checked: null, productRequest: null };
  const wrong = { status: priceError === null ? 200 : 422 };
  switch (asked.state) {
    case 'empty':
      return data(answer, wrong);
    case 'wrong':
      return data(
        { ...answer, form: { ...form, typed: asked.typed, error: asked.error } },
        { status: 422 },
      );
    case 'asked': {
      const checked = await readCheckedProduct(services, asked.product, amount, now);
      const { typed, title } = asked;
      const productRequest =
        checked.found || requestedLink(asked.link) === null
          ? null
          : {
              action: `/check${new URL(request.url).search}`,
              needsCheck: currentUser(context)?.emailVerified !== true,
            };
      const filled = { ...form, typed, title, of: endOf(typed) };
      return data({ ...answer, form: filled, checked, productRequest }, wrong);
    }
  }
}

/** Handles the form that asks the owner to add the product. */
export async function action({ context, request }: Route.ActionArgs) {
  const user = currentUser(context);
  const result = await requestProduct(
    appServices(context),
    new URL(request.url).searchParams,
    await readFormBody(request),
    { user, address: requestFacts(context).address },
  );
  return answerReport(result, user, 'Thank you. We received your request.');
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/check',
    title: 'Check a price',
    description: 'Paste the link of any product to see what it usually costs.',
    isIndexed: false,
  });
}

export default function CheckPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, currency, form, checked, productRequest } = loaderData;
  const isWrong = form.error !== null || form.priceError !== null;
  return (
    <>
      <PageHeading title="Is this price real?">
        Paste the link of a product to see what it usually costs and where its price stands.
      </PageHeading>
      <CheckForm {...form} currency={currency} />
      {checked ? (
        <Result
          checked={checked}
          request={productRequest && { ...productRequest, answer: actionData ?? null }}
          now={now}
        />
      ) : null}
      {checked || isWrong ? null : (
        <p className={styles.about}>
          We look for the product in our price log, by its link, then its article number (GTIN),
          then its name. For example, the link of a pair of headphones shows whether today’s price
          is low for them, and which other stores sell them.
        </p>
      )}
      <Bookmarklet />
    </>
  );
}

/**
 * Sends the link and the title of a store's page to the check. `cut` removes whole characters and
 * escapes from the end, since a request has at most 2,048 characters. The script must not contain
 * a percent sign before two hexadecimal digits, which the browser would decode.
 */
const bookmarklet = (origin: string) =>
  [
    "javascript:(()=>{const cut=(s,n)=>{let t=s.slice(0,n).toWellFormed(),e;while((e=encodeURIComponent(t)).length>n)t=t.replace(/%[c-f]\\w(%[89ab]\\w)+$|%\\w\\w$|.$/isu,'');return e};",
    `location.href='${origin}/check?url='+cut(location.href,1400)+'&title='+cut(document.title.split(/ [|–—-] /)[0],500)})()`,
  ].join('');

/**
 * Offers the check as a bookmark. The bookmark's script runs on a store's page, never on this one.
 */
function Bookmarklet() {
  const script = bookmarklet(useSite().origin);
  return (
    <section className={styles.bookmark} aria-labelledby="bookmark">
      <h2 id="bookmark">Check from a store’s page</h2>
      <TextField
        label="Bookmark address"
        readOnly
        value={script}
        hint="Make a bookmark with this text as its address, then press it on any product’s page to check its price here."
        after={<CopyButton text={script} label="Copy the address of the bookmark" />}
      />
    </section>
  );
}

function CheckForm({
  typed,
  title,
  of,
  typedPrice,
  error,
  priceError,
  currency,
}: Route.ComponentProps['loaderData']['form'] & { currency: string }) {
  return (
    <form
      method="get"
      action="/check"
      role="search"
      aria-label="Price check"
      className={styles.form}
    >
      {title === '' ? null : (
        <>
          <input type="hidden" name="title" value={title} />
          <input type="hidden" name="of" value={of} />
        </>
      )}
      <TextField
        label="Paste a link to any product"
        name="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        defaultValue={typed}
        placeholder="https://shop.example/product"
        error={error ?? undefined}
        hint="We don’t open or store the link to check it."
      />
      <TextField
        label={`Price you see (${currency}, optional)`}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        maxLength={longestPrice}
        defaultValue={typedPrice}
        error={priceError ?? undefined}
        hint="We compare it with our price log."
      />
      <Button type="submit" variant="primary">
        <Icon name="search" size={18} />
        <span>Check price</span>
      </Button>
    </form>
  );
}

type RequestProps = Parameters<typeof ProductRequestForm>[0];

function Result({
  checked,
  request,
  now,
}: {
  checked: CheckedProduct;
  request: RequestProps | null;
  now: Date;
}) {
  const { found, others, nearest, words } = checked;
  if (!found) return <Unknown nearest={nearest} words={words} request={request} now={now} />;
  return (
    <div className="stack gap-8">
      <CheckedDeal {...found} now={now} />
      {others.length > 0 ? (
        <TitledSection id="other-stores" title="The same product at other stores">
          {found.otherStores === null ? (
            <p className="below-4 muted">These deals have the same article number (GTIN).</p>
          ) : null}
          <DealCards deals={others} now={now} variant="compact" headingLevel={3} />
        </TitledSection>
      ) : null}
    </div>
  );
}

function Unknown({
  nearest,
  words,
  request,
  now,
}: Pick<CheckedProduct, 'nearest' | 'words'> & { request: RequestProps | null; now: Date }) {
  const search = `/deals?${new URLSearchParams({ search: words })}`;
  return (
    <div className="stack gap-8">
      <section className={styles.unknown} role="status">
        <h2>We don’t know this one yet</h2>
        <p>None of our deals has this link, its article number or its name.</p>
        {words === '' ? null : (
          <div className="bar gap-4">
            <ButtonLink
              to={`/price-alerts/searches/new?${new URLSearchParams({ of: search })}`}
              rel="nofollow"
            >
              <Icon name="bell" size={18} />
              <span>Tell me when it appears</span>
            </ButtonLink>
            <Link to={search}>{`Search for “${words}”`}</Link>
          </div>
        )}
        {request ? (
          <Island<typeof ProductRequestForm> name="product-request-form" props={request} />
        ) : null}
      </section>
      {nearest.length > 0 ? (
        <TitledSection id="nearest" title="Deals with a similar name">
          <DealCards deals={nearest} now={now} variant="compact" headingLevel={3} />
        </TitledSection>
      ) : null}
    </div>
  );
}
