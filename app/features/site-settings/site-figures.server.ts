import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type AppServices, keepValue } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { SiteSettings } from './site-settings.ts';

export type SiteFigure = SiteSettings['figures'][number];

/** The document has two sets, and they differ; every other choice is the same on both pages. */
const documentFigures: Record<'home' | 'about', SiteFigure[]> = {
  home: [
    { label: 'active deals', value: '10,000+' },
    { label: 'users', value: '50,000+' },
    { label: 'brands', value: '500+' },
    { label: 'saved', value: '$2M+' },
  ],
  about: [
    { label: 'users', value: '10K+' },
    { label: 'saved', value: '$2M+' },
    { label: 'merchants', value: '500+' },
    { label: 'deals', value: '50K+' },
  ],
};

/** The figures of a page as the owner chose them; measured ones as they were a moment ago (P30). */
export async function keptFigures(
  services: AppServices,
  settings: Pick<SiteSettings, 'figuresMode' | 'figures' | 'currency'>,
  page: 'home' | 'about',
): Promise<SiteFigure[]> {
  const { figuresMode, figures, currency } = settings;
  switch (figuresMode) {
    case 'document':
      return documentFigures[page];
    case 'own':
      return figures;
    case 'none':
      return [];
    case 'measured': {
      const measure = () => measureSiteFigures(services.db, currency);
      return keepValue(services, `figures in ${currency}`, figureTags(settings), measure);
    }
  }
}

/** What empties a page because of its figures: those that are measured count deals and compare prices. */
export function figureTags({ figuresMode }: Pick<SiteSettings, 'figuresMode'>): string[] {
  return figuresMode === 'measured' ? ['deals', 'prices'] : [];
}

/** What is nothing yet is left out. */
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
