import { redirect } from 'react-router';
import type { Route } from './+types/product-page';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { firstEnd } from '#app/features/deals/page-tags.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import {
  compareOffers,
  type Comparison,
  type Offer,
} from '#app/features/products/compare-offers.ts';
import { findMergedSlug } from '#app/features/products/find-merged-slug.server.ts';
import { layOutOfferCharts } from '#app/features/products/lay-out-offer-chart.ts';
import {
  findLowestPrice,
  findProductBySlug,
  readOfferPrices,
} from '#app/features/products/product-queries.server.ts';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { WatchProduct } from '#app/features/watched-searches/watch-product.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { pageMeta, missingMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx';
import type { Db } from '#database/connect.ts';
import { showOffer, writeHeadline } from './describe-product.ts';
import { OffersTable } from './offers-table.tsx';
import { ProductHistory, type ShownPrices } from './product-history.tsx';
import { productJsonLd } from './product-json-ld.ts';
import styles from './product-page.module.css';

const day = 86_400_000;
const daysDrawn = 90;
/** lines that a reader can tell apart */
const mostLines = 5;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db, env, now } = services;
  const product = await findProductBySlug(db, params.slug);
  const [first] = product?.offers ?? [];
  if (!product || !first) {
    const slug = await findMergedSlug(db, params.slug);
    if (slug !== null) throw redirect(`/products/${slug}`, 301);
    throw await answerNotFound(context, request);
  }
  const time = now();
  const settings = await cachedSettings(services);
  const { offers, ...facts } = product;
  const pictured = offers.find(({ picture }) => picture !== null) ?? first;
  noteShownPictures(services, [pictured]);
  allowPageCache(context, [`product:${product.id}`], firstEnd(offers));
  const comparison = compareOffers(offers, time);
  const shown = { ...facts, picture: pictured.picture, category: first.category };
  const headline = writeHeadline(comparison, settings.currency, time);
  const jsonLd: object[] = productJsonLd(shown, comparison, publicSite(settings, env.origin));
  return {
    now: time,
    product: shown,
    headline,
    isIndexed: new Set(offers.map(({ merchant }) => merchant.id)).size > 1,
    ranked: comparison.ranked.map(showOffer),
    unstated: comparison.unstated.map(showOffer),
    others: comparison.others.map(showOffer),
    disclaimers: [...new Set(offers.flatMap(({ merchant }) => merchant.price_disclaimer ?? []))],
    prices: await readPrices(db, comparison, time, settings.currency),
    low: await writeLow(db, comparison, settings),
    jsonLd,
  };
}

async function readPrices(
  db: Db,
  { ranked, unstated, others }: Comparison<DealSummary>,
  to: Date,
  currency: string,
): Promise<ShownPrices> {
  const all: Offer<DealSummary>[] = [...ranked, ...unstated, ...others];
  const shown = all.filter(({ price }) => price !== null);
  const from = new Date(to.getTime() - daysDrawn * day);
  const known = await readOfferPrices(
    db,
    shown.map(({ deal }) => deal.id),
    from,
  );
  const lines = shown.flatMap(({ deal }) => {
    const steps = known.get(deal.id);
    return steps ? [{ store: deal.merchant.name, steps }] : [];
  });
  const storesOf = (some: readonly { store: string }[]) => [
    ...new Set(some.map(({ store }) => store)),
  ];
  const untracked = all.filter(({ deal }) => !known.has(deal.id));
  return {
    drawings: layOutOfferCharts(lines.slice(0, mostLines), { from, to }, currency),
    lines,
    undrawn: storesOf(lines.slice(mostLines)),
    untracked: storesOf(untracked.map(({ deal }) => ({ store: deal.merchant.name }))),
  };
}

/** Returns a sentence about the lowest price in the class of the headline. */
async function writeLow(
  db: Db,
  { ranked, unstated, others, condition }: Comparison<DealSummary>,
  { currency, timeZone }: { currency: string; timeZone: string },
): Promise<string | null> {
  const all: Offer<DealSummary>[] = [...ranked, ...unstated, ...others];
  const compared = all.filter((offer) => offer.condition === condition && offer.price !== null);
  const low = await findLowestPrice(
    db,
    compared.map(({ deal }) => deal.id),
  );
  if (!low) return null;
  const price = formatMoney(low.price, currency);
  return `Lowest price we have seen: ${price} at ${low.store} on ${shortDate(low.at, timeZone)}, without shipping.`;
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This product does not exist.');
  const { product, headline, isIndexed, jsonLd } = loaderData;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: `/products/${product.slug}`,
    title: `${product.title}: compare prices`,
    description: `${product.title}: ${headline}.`,
    image: product.picture,
    type: 'product',
    isIndexed,
    jsonLd,
  });
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const { now, product, headline, ranked, unstated, others, prices, low, disclaimers } = loaderData;
  const { title, picture, category } = product;
  return (
    <>
      <Breadcrumbs
        crumbs={[
          { label: 'Home', to: '/' },
          { label: category.name, to: `/categories/${category.slug}` },
          { label: title, to: null },
        ]}
      />
      <div className={styles.head}>
        <DealPicture src={picture} alt={title} sizes="16rem" isEager isFirst />
        <div>
          <h1>{title}</h1>
          <p className={styles.headline}>{headline}</p>
          <WatchProduct slug={product.slug} />
        </div>
      </div>
      <OffersTable id="offers" title="Offers" offers={ranked} hasTotals now={now} />
      <OffersTable
        id="shipping-not-stated"
        title="Shipping not stated"
        hint="These stores do not tell us what shipping costs, so their prices can’t be compared with the totals."
        offers={unstated}
        now={now}
      />
      <OffersTable
        id="not-compared"
        title="Not compared"
        hint="Out of stock, or the store wants its price hidden."
        offers={others}
        now={now}
      />
      {disclaimers.map((text) => (
        <p key={text} className="small above-2">
          {text}
        </p>
      ))}
      <ProductHistory prices={prices} low={low} />
    </>
  );
}
