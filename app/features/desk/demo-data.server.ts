import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { seedSample } from '#database/seed/seed-sample.ts';
import { errorMessage } from '#database/error-code.ts';
import { fillDemoShop } from './fill-demo-shop.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'now'>;

export type SeedResult =
  | { ok: true; added: boolean; message: string }
  | { ok: false; message: string };

/** Runs the small seeder, which works only on a site without categories. */
export async function seedSampleData(services: Services, actor: string): Promise<SeedResult> {
  try {
    const { added, message } = await seedSample(services.db, {
      now: services.now(),
      media: openMedia(services),
      record: (tx) => writeAudit(tx, { actor, action: 'site.seed', entity: 'site' }),
    });
    return { ok: true, added, message };
  } catch (error) {
    return { ok: false, message: errorMessage(error) };
  }
}

/** Adds the demo shop, as the first start of an empty site does. */
export async function seedDemoShop(services: Services, actor: string): Promise<void> {
  await fillDemoShop(services);
  await writeAudit(services.db, { actor, action: 'site.seed-demo', entity: 'site' });
}

/** Removes all demo rows at once. Returns the number of deals. */
export async function removeDemoData(services: Services, actor: string): Promise<number> {
  const removed = await removeDemo(services.db, {
    media: openMedia(services),
    record: (tx, before) =>
      writeAudit(tx, { actor, action: 'site.remove-demo', entity: 'site', before }),
  });
  return removed.deals;
}
