import { data } from 'react-router';
import type { Route } from './+types/check-page';
import { readAskedProduct } from '#app/features/search/read-asked-product.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DealCards } from '#app/storefront/deals/deal-cards.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { CheckedDeal } from './checked-deal.tsx';
import { type CheckedProduct, readCheckedProduct } from './read-checked-product.server.ts';
import styles from './check-page.module.css';

/**
 * Shows what is known about a product of any store, by its URL. The page makes no third-party
 * request, stores nothing, and is never cached.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const services = appServices(context);
  const asked = readAskedProduct(new URL(request.url).searchParams, services.env.origin);
  const now = services.now();
  switch (asked.state) {
    case 'empty':
      return data({ now, typed: '', error: null, checked: null });
    case 'wrong':
      return data({ now, typed: asked.typed, error: asked.error, checked: null }, { status: 422 });
    case 'asked': {
      const checked = await readCheckedProduct(services, asked.product, now);
      return data({ now, typed: asked.typed, error: null, checked });
    }
  }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/check',
    title: 'Check a price',
    description: 'Paste the link of any product to see what it usually costs.',
    isIndexed: false,
  });
}

export default function CheckPage({ loaderData }: Route.ComponentProps) {
  const { now, typed, error, checked } = loaderData;
  return (
    <>
      <PageHeading title="Is this price real?">
        Paste the link of a product to see what it usually costs and where its price stands.
      </PageHeading>
      <form
        method="get"
        action="/check"
        role="search"
        aria-label="Price check"
        className={styles.form}
      >
        <TextField
          label="Paste a link to any product"
          name="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          defaultValue={typed}
          placeholder="https://shop.example/product"
          error={error ?? undefined}
          hint="We never open the link, and we don’t store it."
        />
        <Button type="submit" variant="primary">
          <Icon name="search" size={18} />
          <span>Check price</span>
        </Button>
      </form>
      {checked ? <Result checked={checked} now={now} /> : null}
      {checked || error ? null : (
        <p className={styles.about}>
          We look for the product in our price log, by its link, then its article number (GTIN),
          then its name. For example, the link of a pair of headphones shows whether today’s price
          is low for them, and which other stores sell them.
        </p>
      )}
    </>
  );
}

function Result({ checked, now }: { checked: CheckedProduct; now: Date }) {
  const { found, others, nearest, words } = checked;
  if (!found) return <Unknown nearest={nearest} words={words} now={now} />;
  return (
    <div className="stack gap-8">
      <CheckedDeal {...found} now={now} />
      {others.length > 0 ? (
        <TitledSection id="other-stores" title="The same product at other stores">
          <p className="below-4 muted">These deals have the same article number (GTIN).</p>
          <DealCards deals={others} now={now} variant="compact" headingLevel={3} />
        </TitledSection>
      ) : null}
    </div>
  );
}

function Unknown({
  nearest,
  words,
  now,
}: Pick<CheckedProduct, 'nearest' | 'words'> & { now: Date }) {
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
      </section>
      {nearest.length > 0 ? (
        <TitledSection id="nearest" title="Deals with a similar name">
          <DealCards deals={nearest} now={now} variant="compact" headingLevel={3} />
        </TitledSection>
      ) : null}
    </div>
  );
}
