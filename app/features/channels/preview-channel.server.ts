import { listNewestDeals } from '#app/features/deals/deal-feed-queries.server.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { ChannelKindName } from './channel-fields.ts';
import { channelKinds } from './channel-kinds.server.ts';
import { fillTemplate, type TemplateValues } from './channel-template.ts';
import { disclosure, writeDeal } from './write-channel-message.server.ts';

/**
 * Returns the text of a post about the newest deal, or about an invented one. Returns `null` if the
 * template leaves no room for a title.
 */
export async function previewChannel(
  services: AppServices,
  kind: ChannelKindName,
  { template, category_id }: { template: string; category_id: number | null },
): Promise<string | null> {
  const { db, env } = services;
  const place = category_id === null ? {} : { categoryId: category_id };
  const [newest] = await listNewestDeals(db, place, 1);
  const deal = newest ? await findDealById(db, newest.id) : null;
  const written = deal && (await writeDeal(services, deal, template, await readSiteSettings(db)));
  return fillTemplate(template, written ? written.values : sample(env.origin), channelKinds[kind]);
}

const sample = (origin: string): TemplateValues => ({
  title: 'Desk lamp with wireless charger',
  store: 'Oakhaft',
  price: '$39',
  verdict: 'Usually $63: lower than on 87 of the last 89 days.',
  stores: 'Also at 2 other stores, from $41.90 incl. shipping.',
  link: `${origin}/deals/desk-lamp`,
  disclosure,
});
