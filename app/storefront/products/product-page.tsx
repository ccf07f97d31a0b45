import { redirect } from 'react-router';
import type { Route } from './+types/product-page';
import { earlier } from '#app/features/coupons/read-coupons.server.ts';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { firstEnd, productTags } from '#app/features/deals/page-tags.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { allOffers, compareProduct, countStores } from '#app/features/products/compare-offers.ts';
import { findMergedSlug } from '#app/features/products/find-merged-slug.server.ts';
import { describeLow, readProductPrices } from '#app/features/products/product-prices.server.ts';
import { findProductPage } from '#app/features/products/product-queries.server.ts';
import { shareProduct } from '#app/features/share-pictures/share-product.server.ts';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { WatchProduct } from '#app/features/watched-searches/watch-product.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta, missingMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx';
import { Link } from '#app/ui/link.tsx';
import { BestOffer } from './best-offer.tsx';
import {
  describeHeadline,
  findBestOffer,
  listSections,
  writeHeadline,
} from './describe-product.ts';
import { OffersTable } from './offers-table.tsx';
import { ProductHistory } from './product-history.tsx';
import { productJsonLd } from './product-json-ld.ts';
import { ProductVariants } from './product-variants.tsx';
import { showPrices } from './show-prices.ts';
import styles from './product-page.module.css';

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db, env, now } = services;
  const product = await findProductPage(db, { slug: params.slug });
  const [first] = product?.offers ?? [];
  if (!product || !first) {
    const slug = await findMergedSlug(db, params.slug);
    if (slug !== null) throw redirect(`/products/${slug}`, 301);
    throw await answerNotFound(context, request);
  }
  const time = now();
  const settings = await cachedSettings(services);
  const { offers, isEnded, variants, familyIds, familyEnd, ...facts } = product;
  const pictured = offers.find(({ picture }) => picture !== null) ?? first;
  noteShownPictures(services, [pictured]);
  const tags = productTags([product.id, ...familyIds]);
  allowPageCache(context, tags, earlier(firstEnd(offers), familyEnd));
  const comparison = compareProduct(product, time);
  const prices = await readProductPrices(db, comparison, time);
  const shown = { ...facts, picture: pictured.picture, category: first.category };
  const headline = describeHeadline(comparison, isEnded, settings.currency, time);
  const jsonLd: object[] = productJsonLd(shown, comparison, publicSite(settings, env.origin));
  return {
    now: time,
    product: shown,
    isEnded,
    headline,
    best: findBestOffer(comparison),
    isIndexed: !isEnded && countStores(allOffers(comparison)) > 1,
    sections: listSections(comparison, isEnded),
    disclaimers: [...new Set(offers.flatMap(({ merchant }) => merchant.price_disclaimer ?? []))],
    prices: showPrices(prices, time, settings.currency),
    low: prices.low && describeLow(prices.low, settings),
    variants,
    image: shareProduct({ ...shown, isEnded }, comparison, prices, settings).image,
    jsonLd,
  };
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This product does not exist.');
  const { product, headline, image, isIndexed, jsonLd } = loaderData;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: `/products/${product.slug}`,
    title: `${product.title}: compare prices`,
    description: `${product.title}: ${writeHeadline(headline)}.`,
    image,
    type: 'product',
    isIndexed,
    jsonLd,
  });
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const { now, product, isEnded, headline, best, sections, prices, low } = loaderData;
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
      <div className={styles.page} data-fills>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.picture}>
          <DealPicture src={picture} alt={title} sizes="16rem" isEager isFirst />
        </div>
        <div className={styles.best}>
          <BestOffer headline={headline} best={best} low={low}>
            {isEnded ? (
              <p>
                These offers have ended. Their prices are kept for the record.{' '}
                <Link to={`/categories/${category.slug}`}>See live deals in {category.name}</Link>
              </p>
            ) : null}
          </BestOffer>
          {isEnded ? null : <WatchProduct slug={product.slug} />}
          <ProductVariants variants={loaderData.variants} current={product.id} />
        </div>
        <div className={styles.sections}>
          {sections.map((section) => (
            <OffersTable key={section.id} {...section} product={title} now={now} />
          ))}
          {loaderData.disclaimers.map((text) => (
            <p key={text} className="small above-2">
              {text}
            </p>
          ))}
        </div>
        <div className={styles.history}>
          <ProductHistory prices={prices} />
        </div>
      </div>
    </>
  );
}
