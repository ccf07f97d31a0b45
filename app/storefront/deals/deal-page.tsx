import { discountOf } from '#app/features/prices/price-claims.ts';
import { data, redirect } from 'react-router';
import { DealNotFound } from './deal-not-found.tsx';
import type { Route } from './+types/deal-page';
import { CheckEvidenceLink } from '#app/features/evidence/check-evidence-link.tsx';
import { StoreCoupons } from '#app/features/coupons/coupon-list.tsx';
import { earlier, readDealCoupons } from '#app/features/coupons/read-coupons.server.ts';
import {
  type DealDetail,
  findDealBySlug,
  findDealRedirect,
} from '#app/features/deals/deal-queries.server.ts';
import { alsoAt } from '#app/features/products/compare-offers.ts';
import { type ProductOffer, readOffers } from '#app/features/products/offer-queries.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { listSimilarDeals } from '#app/features/deals/similar-deals-queries.server.ts';
import { dealTags, firstEnd } from '#app/features/deals/page-tags.ts';
import { findPriceNotes } from '#app/features/prices/price-notes-queries.server.ts';
import { describeHistory } from '#app/features/prices/describe-history.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import {
  describePicture,
  sharePicturePath,
} from '#app/features/share-pictures/share-card.server.ts';
import { shareDeal, shareSentence } from '#app/features/share-pictures/share-deal.server.ts';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { PriceHistory } from '#app/features/prices/price-history.tsx';
import { writeVerdict } from '#app/features/prices/price-verdict.ts';
import {
  historyParameters,
  readPriceHistory,
} from '#app/features/prices/price-history-queries.server.ts';
import { DealReports } from '#app/features/reports/deal-reports.tsx';
import { readReports } from '#app/features/reports/report-queries.server.ts';
import { Slot } from '#app/features/slots/slot.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { ShareButton } from '#app/ui/share-button.tsx';
import { DealBottomBar } from './deal-bottom-bar.tsx';
import { DealEvidence } from './deal-evidence.tsx';
import { DealCoupon, DealFacts } from './deal-facts.tsx';
import { DealHeroPicture } from './deal-hero-picture.tsx';
import { dealJsonLd } from './deal-json-ld.ts';
import { DealMerchant } from './deal-merchant.tsx';
import { DealPriceBox } from './deal-price-box.tsx';
import { describeDeal } from './describe-deal.ts';
import { withoutPrices } from './page-deal.ts';
import { ShareEvidence } from './share-evidence.tsx';
import { SimilarDeals } from './similar-deals.tsx';
import styles from './deal-page.module.css';

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db, env, now } = services;
  // No slug contains the characters that the database rejects.
  if (/\p{Cc}/u.test(params.slug)) return await answerNotFound(context, request);
  const deal = await findDealBySlug(db, params.slug);
  if (!deal) {
    const slug = await findDealRedirect(db, params.slug);
    if (slug !== null) throw redirect(`/deals/${slug}`, 301);
    return await answerNotFound(context, request);
  }
  noteShownPictures(services, [deal]);
  const time = now();
  const settings = await cachedSettings(services);
  const asked = readParameters(historyParameters, new URL(request.url).searchParams);
  const days = parseHistoryDays(asked.days ?? null);
  const [similar, proofs, log, reports, notes, coupons, offers] = await Promise.all([
    listSimilarDeals(db, deal, 3),
    findPriceProofs(db, [deal]),
    deal.merchant.keep_history ? readPriceHistory(db, deal.id, days) : [],
    readReports(db, deal.id),
    findPriceNotes(db, deal),
    readDealCoupons(services, deal),
    readOffers(db, [deal.product_id]),
  ]);
  const proof = proofs.get(deal.id) ?? noProof;
  const price = judgePrice(deal, proof, settings, time);
  const endedAt = deal.is_expired ? deal.expires_at : null;
  allowPageCache(
    context,
    [...dealTags([deal, ...similar]), `coupons:merchant:${deal.merchant.id}`],
    earlier(firstEnd([deal, ...similar, ...offers]), coupons.changesAt),
  );
  const verdict = price && writeVerdict(deal, proof, price.claim, settings, time);
  const shared = shareDeal(deal, verdict, proof, settings);
  const sentence = shareSentence(shared);
  const jsonLd: object[] = dealJsonLd(deal, price, publicSite(settings, env.origin));
  return data({
    now: time,
    deal: withoutPrices(deal),
    otherStores: describeOtherStores(deal, offers, settings.currency, time),
    isIndexed: !(deal.is_expired && settings.hideExpiredDeals),
    price,
    verdict,
    share: {
      image: describePicture(sharePicturePath('deal', deal.id, shared), sentence),
      sentence,
    },
    reports,
    coupons,
    similar: await showDeals(services, similar, settings, time),
    days,
    history: price && describeHistory(log, { days, now: time, endedAt }, settings),
    raise: price && notes.raise,
    forecast: price && notes.forecast,
    description: describeDeal(deal, price, settings.currency),
    jsonLd,
  });
}

/** Returns the link to the offers of other stores, or `null` if there are none. */
function describeOtherStores(
  deal: DealDetail,
  offers: readonly ProductOffer[],
  currency: string,
  now: Date,
): { slug: string; text: string } | null {
  const other = offers.find(({ merchant }) => merchant.id !== deal.merchant.id);
  if (!other) return null;
  const best = alsoAt(deal, offers, now);
  const text = best ? writeAlsoAt(best, currency, deal.is_expired) : 'Compare with other stores';
  return { slug: other.slug, text };
}

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  if (!isDeal(loaderData)) {
    return pageMeta({
      site,
      path: `/deals/${params.slug}`,
      title: 'Deal Not Found',
      description: 'The deal you’re looking for doesn’t exist or has been removed.',
      isIndexed: false,
    });
  }
  const { deal, share, isIndexed, description, jsonLd } = loaderData;
  return pageMeta({
    site,
    path: `/deals/${deal.slug}`,
    title: deal.title,
    description,
    image: share.image,
    type: 'product',
    isIndexed,
    jsonLd,
  });
}

export default function DealPage({ loaderData }: Route.ComponentProps) {
  return isDeal(loaderData) ? (
    <Deal {...loaderData} />
  ) : (
    <DealNotFound nearest={loaderData.nearest} />
  );
}

type PageData = Route.ComponentProps['loaderData'];
type DealPageData = Extract<PageData, { deal: object }>;

function isDeal(shown: PageData | undefined): shown is DealPageData {
  return shown !== undefined && 'deal' in shown;
}

function Deal(page: DealPageData) {
  const { now, deal, price, verdict, share, raise, forecast, reports, coupons, similar } = page;
  const { otherStores } = page;
  const site = useSite();
  const path = `/deals/${deal.slug}`;
  const similarDeals = <SimilarDeals similar={similar} category={deal.category} now={now} />;
  return (
    <>
      <Breadcrumbs
        crumbs={[
          { label: 'Home', to: '/' },
          { label: deal.category.name, to: `/categories/${deal.category.slug}` },
          { label: deal.title, to: null },
        ]}
      />
      {deal.is_expired ? (
        <div className={styles.over}>
          <h1>{deal.title}</h1>
          <p>This deal has expired. Its price is kept for the record; these deals are live.</p>
          {otherStores === null ? null : (
            <p>
              <ButtonLink variant="primary" to={`/products/${otherStores.slug}`}>
                {otherStores.text}
              </ButtonLink>
            </p>
          )}
          <div data-no-print>{similarDeals}</div>
        </div>
      ) : null}
      <article data-fills data-expired={deal.is_expired || undefined}>
        <div className={styles.first}>
          {deal.is_expired ? null : <h1>{deal.title}</h1>}
          <DealHeroPicture deal={deal} discount={price && discountOf(price.claim)} />
          <DealPriceBox
            deal={deal}
            verdict={verdict}
            unit={price?.unit?.text ?? null}
            now={now}
            actions={
              <>
                <DealActions
                  deal={{ ...deal, merchantName: deal.merchant.name }}
                  price={price?.now ?? null}
                  hasLabels
                />
                <ShareButton
                  title={deal.title}
                  text={share.sentence}
                  url={`${site.origin}${path}`}
                />
              </>
            }
          >
            <DealCoupon code={deal.coupon_code} />
            {otherStores === null || deal.is_expired ? null : (
              <p className={styles.otherStores}>
                <Link to={`/products/${otherStores.slug}`}>{otherStores.text}</Link>
              </p>
            )}
          </DealPriceBox>
          {price === null ? null : (
            <div className={styles.history}>
              <DealHistory {...page} path={path} />
              {page.history ? <CheckEvidenceLink dealId={deal.id} /> : null}
              <ShareEvidence
                picture={share.image.path}
                sentence={share.sentence}
                url={`${site.origin}${path}`}
              />
            </div>
          )}
          {deal.description ? (
            <section aria-labelledby="description" className={styles.description} data-no-print>
              <h2 id="description">Description</h2>
              <p>{deal.description}</p>
            </section>
          ) : null}
        </div>
        <p className={styles.address}>{`${site.origin}${path}`}</p>
        <div className={styles.details} data-no-print>
          <div className={styles.main}>
            {price === null ? null : (
              <DealEvidence deal={deal} price={price} now={now} raise={raise} forecast={forecast} />
            )}
          </div>
          <div className={styles.side}>
            <section aria-labelledby="facts">
              <h2 id="facts">Details</h2>
              <DealFacts deal={deal} unit={price?.unit ?? null} now={now} />
            </section>
            <DealReports deal={deal} reports={reports} now={now} />
            <StoreCoupons some={coupons} store={deal.merchant} now={now} />
            <DealMerchant deal={deal} />
            <Slot place="deal" categoryId={deal.category.id} />
          </div>
        </div>
      </article>
      {deal.is_expired ? null : (
        <div className={styles.similar} data-no-print>
          {similarDeals}
        </div>
      )}
      <DealBottomBar deal={deal} price={price} />
    </>
  );
}

function DealHistory({ deal, history, days, path }: DealPageData & { path: string }) {
  return (
    <PriceHistory
      history={history}
      days={days}
      path={path}
      keepsHistory={deal.merchant.keep_history}
      merchantName={deal.merchant.name}
    />
  );
}
