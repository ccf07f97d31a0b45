import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type AppServices, keepValue } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { SiteSettings } from './site-settings.ts';

export type SiteFigure = SiteSettings['figures'][number];

/** Figures to boast with: the owner's words (`words`), or the site's own, measured now (P30). */
export async function readSiteFigures(
  db: Db,
  settings: SiteSettings,
  words: SiteFigure[] = settings.figures,
): Promise<SiteFigure[]> {
  return settings.figuresMode === 'words' ? words : measureSiteFigures(db, settings.currency);
}

/** The same for pages, as they were measured a moment ago. */
export async function keptFigures(
  services: AppServices,
  settings: SiteSettings,
): Promise<SiteFigure[]> {
  if (settings.figuresMode === 'words') return settings.figures;
  const measure = () => readSiteFigures(services.db, settings);
  return keepValue(services, `figures in ${settings.currency}`, figureTags(settings), measure);
}

/** What empties a page because of its figures: those that are measured count deals and compare prices. */
export function figureTags({ figuresMode }: SiteSettings): string[] {
  return figuresMode === 'words' ? [] : ['deals', 'prices'];
}

async function measureSiteFigures(db: Db, currency: string): Promise<SiteFigure[]> {
  const measured = await ask(db).row<{
    deals: number;
    stores: number;
    prices: number;
    saving: number | null;
  }>`
    select
      (select value from site_counters where name = 'live_deals') as deals,
      (select count(*) from merchants where deal_count > 0) as stores,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'price_log'::regclass) as prices,
      (select max(discount_amount) from (
         select discount_amount from deals where is_active and not is_expired
          order by discount_percent desc, id desc limit 100) best) as saving`;
  if (!measured) return [];
  const saving = formatMoney(measured.saving ?? 0, currency, { wholeIfRound: true });
  const count = (n: number) => n.toLocaleString('en-US');
  return [
    { label: 'active deals', value: count(measured.deals) },
    { label: 'stores with deals', value: count(measured.stores) },
    { label: 'prices logged, about', value: count(measured.prices) },
    { label: 'saved on the best deal today', value: saving },
  ];
}
