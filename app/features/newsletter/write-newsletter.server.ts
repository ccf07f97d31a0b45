import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { namedDeals } from '#app/features/blog/content-deals.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { inOneLine } from '#app/features/prices/judge-price.ts';
import { percentOff } from '#app/features/prices/price-claims.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { accentColors } from '#app/features/site-settings/brand/accent-colors.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortTime } from '#app/platform/time-words.ts';
import type { LeftOutDeal, NewsletterContent, NewsletterDeal } from './newsletter-content.ts';
import { NewsletterButton, NewsletterDealCard } from './newsletter-deal-email.tsx';
import { listLinkClicks, type Newsletter } from './managed-newsletter-queries.server.ts';
import { keepMailPicture } from './mail-pictures.server.ts';
import { readVariantB, type TestedTexts } from './subject-test.ts';
import { styleNewsletter } from './style-newsletter.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;
type Link = { position: number; href: string; label: string };

export interface WrittenNewsletter {
  letter: NewsletterContent;
  /** All current links. Links of an earlier version keep their positions. */
  links: Link[];
  leftOut: LeftOutDeal[];
  isEmpty: boolean;
}

/**
 * Renders a newsletter as it would be emailed now. Its links go through the click counter
 * (`isCounted`), or directly to their targets in a preview. Deleted and expired deals are omitted.
 */
export async function writeNewsletter(
  services: Services,
  newsletter: Pick<Newsletter, 'id' | 'subject' | 'preview' | 'content'> & Partial<TestedTexts>,
  { isCounted }: { isCounted: boolean },
): Promise<WrittenNewsletter> {
  const { db, env, now } = services;
  const { id, subject, preview } = newsletter;
  const settings = await readSiteSettings(db);
  const clean = sanitisePost(newsletter.content, env.origin, { hasDeals: true });
  const { cards, leftOut } = await readCards(services, settings, clean);
  const pictures = await keepPictures(services, clean);
  const links: Link[] = isCounted ? await listLinkClicks(db, id) : [];
  const countedWay = (href: string, label: string) => env.origin + placeOf(links, id, href, label);
  const way = isCounted ? countedWay : (href: string) => URL.parse(href, env.origin)?.href ?? '';
  const { action: linkColor, fill, onFill } = accentColors(settings.accent).light;
  const colors = { link: linkColor, button: fill, onButton: onFill };
  const body = styleNewsletter(clean, {
    linkColor,
    link: (href) => linkOf(href, env.origin, way),
    picture: (src) => pictures.get(src) ?? null,
    deal: (dealId) => {
      const card = cards.get(dealId);
      if (!card) return '';
      const deal = { ...card, href: way(card.href, card.title) };
      return renderToStaticMarkup(createElement(NewsletterDealCard, { deal, linkColor }));
    },
    button: (link) => renderToStaticMarkup(createElement(NewsletterButton, { ...link, colors })),
  });
  const hasPrices = [...cards.values()].some(({ price }) => price !== null);
  const pricesAt = hasPrices ? shortTime(now(), settings.timeZone) : null;
  const words = body.replace(/<[^<>]*>|&nbsp;|\s/g, '');
  const isEmpty = words === '' && !body.includes('<img');
  const variantB = readVariantB({ subject_b: '', preview_b: '', ...newsletter });
  const letter = { subject, preview, body, pricesAt, ...(variantB && { variantB }) };
  return { letter, links, leftOut, isEmpty };
}

/** Returns a link's path through the counter, and adds the link if it is new. */
function placeOf(links: Link[], newsletterId: number, href: string, label: string): string {
  let link = links.find((one) => one.href === href);
  if (!link) {
    link = { position: Math.max(0, ...links.map(({ position }) => position)) + 1, href, label };
    links.push(link);
  }
  return `/out/newsletter/${newsletterId}/${link.position}`;
}

/**
 * Returns a link through the counter, where internal pages are identified by path and others by
 * URL. Email addresses are not counted.
 */
function linkOf(href: string, origin: string, way: (href: string, label: string) => string) {
  if (href.startsWith('mailto:')) return href;
  const url = URL.parse(href, origin);
  if (!url || !/^https?:$/.test(url.protocol) || href.startsWith('#')) return null;
  const isOwn = url.origin === origin;
  const target = isOwn ? url.pathname + url.search + url.hash : url.href;
  return way(target, isOwn ? target : url.host + url.pathname.replace(/\/$/, ''));
}

async function keepPictures(services: Services, clean: string): Promise<Map<string, string>> {
  const { origin } = services.env;
  const sources = new Set(
    [...clean.matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, src = '']) => src),
  );
  const kept = await Promise.all(
    [...sources].map(async (src) => {
      const plain = src.replaceAll('&amp;', '&');
      const source = plain.startsWith(`${origin}/`) ? plain.slice(origin.length) : plain;
      const at = await keepMailPicture(services, source, 'text');
      return at === null ? [] : ([[plain, origin + at]] as const);
    }),
  );
  return new Map(kept.flat());
}

async function readCards(services: Services, settings: SiteSettings, clean: string) {
  const { db, env, now } = services;
  const named = namedDeals(clean);
  const found = await listDealsByIds(
    db,
    named.map(({ id }) => id),
  );
  const live = found.filter(({ is_expired }) => !is_expired);
  const over = new Map(found.filter(({ is_expired }) => is_expired).map((deal) => [deal.id, deal]));
  const hidesPrice = new Set(
    live.filter(({ merchant }) => merchant.hide_price_after_hours !== null).map(({ id }) => id),
  );
  const priced = await priceDeals(db, live, settings, now());
  const liveIds = live.map((deal) => deal.id);
  const otherStores = await findOtherStores(db, liveIds, null);
  const cards = new Map(
    await Promise.all(
      priced.map(async (one) => {
        const { id, picture: shown } = one.deal;
        const at = shown === null ? null : await keepMailPicture(services, shown, 'card');
        const picture = at === null ? null : env.origin + at;
        // An email is read hours later, so no price is shown for a store that forbids outdated
        // prices.
        const price = hidesPrice.has(id) ? null : one.price;
        const others = otherStores.get(id);
        const alsoAt = others ? writeAlsoAt(others, settings.currency) : '';
        const told = describe({ ...one, price }, alsoAt, settings.currency);
        return [id, { ...told, picture }] as const;
      }),
    ),
  );
  const leftOut = named.flatMap(({ id, title }): LeftOutDeal[] => {
    if (cards.has(id)) return [];
    const known = over.get(id)?.title ?? (title || `Deal ${id}`);
    return [{ id, title: known, reason: over.has(id) ? 'over' : 'gone' }];
  });
  return { cards, leftOut };
}

function describe(
  { deal, price }: PricedDeal,
  alsoAt: string,
  currency: string,
): Omit<NewsletterDeal, 'picture'> {
  const notes = [
    alsoAt,
    price?.evidence ?? '',
    price ? `Price log: ${inOneLine(price.proof)}` : '',
    deal.coupon_code ? `Coupon ${deal.coupon_code}` : '',
  ];
  return {
    title: deal.title,
    store: deal.merchantName,
    price: price && formatMoney(price.now, currency),
    was: price && price.was !== null ? formatMoney(price.was, currency) : null,
    off: price && percentOff(price),
    notes: notes.filter(Boolean),
    href: `/deals/${deal.slug}`,
  };
}
