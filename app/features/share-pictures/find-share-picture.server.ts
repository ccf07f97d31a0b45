import { findPostById } from '#app/features/blog/blog-queries.server.ts';
import { cachedCategories } from '#app/features/categories/category-queries.server.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { findMerchantById } from '#app/features/merchants/merchant-queries.server.ts';
import { cachedStoreCheck } from '#app/features/prices/discount-check-queries.server.ts';
import type { PriceStep } from '#app/features/prices/lay-out-price-chart.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import { readPriceLine } from '#app/features/prices/mail-deal-pictures.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { writeVerdict } from '#app/features/prices/price-verdict.ts';
import { compareProduct } from '#app/features/products/compare-offers.ts';
import { readProductPrices } from '#app/features/products/product-prices.server.ts';
import { findProductPage } from '#app/features/products/product-queries.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { drawShareCard } from './draw-share-card.server.ts';
import { type ShareCard, sharePicturePath } from './share-card.server.ts';
import { dealCard, shareDeal } from './share-deal.server.ts';
import { shareProduct } from './share-product.server.ts';
import {
  listNewestPictures,
  shareCategory,
  shareMerchant,
  sharePost,
} from './share-page.server.ts';

const names = /^(deal|product|category|merchant|post)-(\d{1,10})-[\da-f]{12}\.jpg$/;

interface FoundPicture {
  /** The path of the current picture. An older URL has another path. */
  path: string;
  /**
   * The cache key: the path with a hash of everything drawn, since a category's path does not
   * change with the deals drawn.
   */
  key: string;
  draw(): Promise<Buffer>;
}

/**
 * Returns the current share picture for any version of its name, or `null` if the name is unknown
 * or its page is not public.
 */
export async function findSharePicture(
  services: AppServices,
  name: string,
): Promise<FoundPicture | null> {
  const [, kind = '', digits = ''] = names.exec(name) ?? [];
  const id = parseRowId(digits);
  if (!id) return null;
  if (kind === 'deal') return findSharedDeal(services, id);
  if (kind === 'product') return findSharedProduct(services, id);
  const settings = await cachedSettings(services);
  const shared = await findSharedPage(services, kind, id, settings);
  if (!shared) return null;
  const { path } = shared.image;
  const draw = (card: ShareCard) => () => drawShareCard(openMedia(services), card, []);
  if (kind !== 'category') return { path, key: path, draw: draw(shared.card) };
  const pictures = await listNewestPictures(services, id, settings);
  const card = { ...shared.card, pictures };
  return { path, key: sharePicturePath('category', id, card), draw: draw(card) };
}

async function findSharedPage(
  services: AppServices,
  kind: string,
  id: number,
  settings: SiteSettings,
) {
  const { db } = services;
  if (kind === 'post') {
    const post = await findPostById(db, id);
    return post && sharePost(post, settings);
  }
  if (kind === 'merchant') {
    const merchant = await findMerchantById(db, id);
    const checked = merchant && (await cachedStoreCheck(services, id));
    return checked && shareMerchant(merchant, checked.check, settings);
  }
  const category = (await cachedCategories(services)).find((one) => one.id === id);
  return category ? shareCategory(category, settings) : null;
}

async function findSharedProduct(services: AppServices, id: number): Promise<FoundPicture | null> {
  const product = await findProductPage(services.db, { id });
  if (!product) return null;
  const now = services.now();
  const comparison = compareProduct(product, now);
  const [settings, prices] = await Promise.all([
    cachedSettings(services),
    readProductPrices(services.db, comparison, now),
  ]);
  const picture = product.offers.find((offer) => offer.picture !== null)?.picture ?? null;
  const { image, card, steps } = shareProduct(
    { ...product, picture },
    comparison,
    prices,
    settings,
  );
  const draw = () => drawShareCard(openMedia(services), card, untilEnd(steps, now));
  return { path: image.path, key: image.path, draw };
}

async function findSharedDeal(services: AppServices, id: number): Promise<FoundPicture | null> {
  const { db } = services;
  const deal = await findDealById(db, id);
  if (!deal) return null;
  const now = services.now();
  const [settings, proofs] = await Promise.all([
    cachedSettings(services),
    findPriceProofs(db, [deal]),
  ]);
  const proof = proofs.get(id) ?? noProof;
  const price = judgePrice(deal, proof, settings, now);
  const verdict = price && writeVerdict(deal, proof, price.claim, settings, now);
  const shared = shareDeal(deal, verdict, proof, settings);
  const draw = async () => {
    const end = deal.is_expired && deal.expires_at ? deal.expires_at : now;
    const steps = shared.lineSince === null ? [] : await readSteps(services, id, end);
    return drawShareCard(openMedia(services), dealCard(shared), steps);
  };
  const path = sharePicturePath('deal', id, shared);
  return { path, key: path, draw };
}

/**
 * Returns the prices of the last 90 days. The last price is repeated at `end`, so that the line
 * reaches it.
 */
async function readSteps({ db }: AppServices, id: number, end: Date): Promise<PriceStep[]> {
  return untilEnd(
    (await readPriceLine(db, id, null)).filter(({ at }) => at <= end),
    end,
  );
}

function untilEnd(steps: PriceStep[], end: Date): PriceStep[] {
  const newest = steps.at(-1);
  return newest ? [...steps, { ...newest, at: end }] : [];
}
