import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { HeroWords, SiteSettings } from './site-settings.ts';

export type SiteFigure = SiteSettings['figures'][number];

/** Statistics of the storefront specification, which prevails where the two documents differ. */
const specificationFigures: SiteFigure[] = [
  { label: 'active deals', value: '10,000+' },
  { label: 'users', value: '50,000+' },
  { label: 'brands', value: '500+' },
  { label: 'saved', value: '$2M+' },
];
const documentHero = {
  kicker: 'Save up to 80%',
  claims: ['Fresh deals added daily', '60% off and more on selected deals', 'Free to use'],
};

type ShownFigures = Pick<SiteSettings, 'figuresMode' | 'figures' | 'currency'>;

/**
 * Returns the statistics that the owner chose for every page. Measured ones come from the cache.
 */
export async function cachedFigures(
  services: AppServices,
  settings: ShownFigures,
): Promise<SiteFigure[]> {
  const { figuresMode, figures, currency } = settings;
  switch (figuresMode) {
    case 'document':
      return specificationFigures;
    case 'own':
      return figures;
    case 'none':
      return [];
    case 'measured': {
      const measure = () => measureSiteFigures(services.db, currency);
      return cacheValue(services, `figures in ${currency}`, cacheTagsOfFigures(settings), measure);
    }
  }
}

/** Returns the top of the home page: the owner's text, or the text of the chosen statistics. */
export async function cachedHero(
  services: AppServices,
  settings: Pick<SiteSettings, 'figuresMode' | 'hero'>,
): Promise<HeroWords> {
  const { hero, figuresMode } = settings;
  const given =
    figuresMode === 'document'
      ? documentHero
      : figuresMode === 'measured'
        ? await cacheValue(services, 'hero', cacheTagsOfFigures(settings), () =>
            measureHero(services.db),
          )
        : { kicker: '', claims: [] };
  return {
    ...hero,
    kicker: hero.kicker || given.kicker,
    claims: hero.claims.length > 0 ? hero.claims : given.claims,
  };
}

/** Measures the hero's claims from existing deals, with discounts that our log proves. */
async function measureHero(db: Db): Promise<Pick<HeroWords, 'kicker' | 'claims'>> {
  const measured = await ask(db).row<{ percent: number | null; added: number }>`
    select (select max(checked_percent) filter (where reference_price is not null) from (
              select checked_percent, reference_price from deals where is_active and not is_expired and checked_percent > 0
               order by checked_percent desc, id desc limit 100) best) as percent,
           (select count(*) from (
              select from deals where is_active and not is_expired and created_at > now() - interval '7 days' limit 1000) fresh) as added`;
  const { percent = null, added = 0 } = measured ?? {};
  const claims =
    added > 0
      ? [`${added < 1_000 ? countNoun(added, 'deal') : '1,000 or more deals'} added this week`]
      : [];
  return {
    kicker: percent === null ? '' : `Save up to ${percent}%, checked by our price log`,
    claims,
  };
}

/** Returns the cache tags of statistics, since measured ones count deals and compare prices. */
export function cacheTagsOfFigures({ figuresMode }: Pick<SiteSettings, 'figuresMode'>): string[] {
  return figuresMode === 'measured' ? ['deals', 'prices'] : [];
}

/** Measures the site's statistics. Omits those that are zero. */
export async function measureSiteFigures(db: Db, currency: string): Promise<SiteFigure[]> {
  const measured = await ask(db).row<{
    deals: number;
    stores: number;
    prices: number;
    saving: number | null;
  }>`
    select
      (select value from site_counters where name = 'live_deals') as deals,
      (select count(*) from merchants where deal_count > 0) as stores,
      (select case when n < 10000 then n
                   else (select greatest(reltuples, n)::bigint from pg_class where oid = 'price_log'::regclass) end
         from (select count(*) as n from (select from price_log limit 10000) counted) few) as prices,
      (select max(reference_price - sale_price) from (
         select reference_price, sale_price from deals where is_active and not is_expired and checked_percent > 0
          order by checked_percent desc, id desc limit 100) best) as saving`;
  if (!measured) return [];
  const { deals, stores, prices, saving } = measured;
  const count = (n: number) => n.toLocaleString('en-US');
  const money = (amount: number) => formatMoney(amount, currency, { wholeIfRound: true });
  return [
    { label: 'active deals', n: deals, write: count },
    { label: 'stores with deals', n: stores, write: count },
    { label: 'prices logged, about', n: prices, write: count },
    { label: 'saved on the best deal today', n: saving ?? 0, write: money },
  ].flatMap(({ label, n, write }) => (n > 0 ? [{ label, value: write(n) }] : []));
}
