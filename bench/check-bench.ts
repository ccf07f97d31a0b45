import { planList } from '#app/features/imported-lists/plan-list.server.ts';
import { readList } from '#app/features/imported-lists/read-listed-lines.server.ts';
import { readNamedProduct } from '#app/features/search/read-asked-product.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { readCheckedProduct } from '#app/storefront/check/read-checked-product.server.ts';
import { ask } from '#database/ask.ts';
import { durationOf, type Measured, ms, table, timingOf, verdictOn } from '#bench/measure.ts';
import { openShop } from '#bench/open-shop.ts';
import { clockOfBackend } from '#bench/search-cost.ts';

const origin = 'https://deals.test';
/** CPU ms of a price check, in the server and the database */
const most = 100;
const sampled = 100;
const listLines = 2_000;

/**
 * Measures price checks and the preview of a list of 2,000 lines. Measures CPU time of this process
 * and of the database, which hardly depends on other load.
 */
export async function benchChecks(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report, { maxConnections: 1, statementTimeout: 0 });
  try {
    const env = readEnv({ NODE_ENV: 'test', ORIGIN: origin });
    const now = () => new Date();
    const services: AppServices = { db: shop.db, env, log: createLog('silent'), now };
    const backendMs = await clockOfBackend(shop.db);
    const processorMs = async () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000 + (await backendMs());
    };
    const known = await ask(shop.db).rows<{ deal_url: string; title: string }>`
      select deal_url, title from deals where is_active and id % ${Math.floor(deals / listLines) + 1} = 0
       order by id limit ${listLines}`;
    const some = known.slice(0, sampled);
    const unknown = 'https://unheard-of.example';
    const named = {
      link: some.map(({ deal_url: url }) => ({ url })),
      name: some.map(({ title }) => ({ title })),
      'unknown link': some.map(({ title }) => ({
        url: `${unknown}/${encodeURIComponent(title.replace(/\d/g, (digit) => `${9 - Number(digit)}`))}`,
      })),
    };
    const rows = [['price check by', 'median', 'p99', 'p99 on the clock', `at most ${most}`]];
    let isMet = true;
    for (const [what, inputs] of Object.entries(named)) {
      const [processor, clock]: [number[], number[]] = [[], []];
      for (const [index, input] of [...inputs, ...inputs].entries()) {
        const read = readNamedProduct(input, origin);
        if (!read.ok) throw new Error(read.error);
        const before = await processorMs();
        const took = await durationOf(() =>
          readCheckedProduct(services, read.product, 1_000, now()),
        );
        if (index < inputs.length) continue; // warm
        processor.push((await processorMs()) - before);
        clock.push(took);
      }
      const { median, p99 } = timingOf(processor);
      isMet &&= p99 <= most;
      rows.push([what, ms(median), ms(p99), ms(timingOf(clock).p99), verdictOn(p99 <= most)]);
    }
    const links = known.map(({ deal_url: url }, n) =>
      n % 20 === 0 ? `${unknown}/thing-${n}` : url,
    );
    const list = await readList(Buffer.from(links.join('\n')));
    if (!list.ok) throw new Error(list.message);
    const asked = { userId: 'none', currency: 'USD', origin };
    const before = await processorMs();
    const clock = await durationOf(() => planList(shop.db, list.lines, asked));
    const cost = (await processorMs()) - before;
    rows.push([`a list of ${links.length} links, 5% unknown`, ms(cost), '', ms(clock), '']);
    return { results: rows, text: table(rows), isMet };
  } finally {
    await shop.close();
  }
}
