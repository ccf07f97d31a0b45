import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const once = 'once at a change of the currency, which the owner asks for';
const currency = 'app/features/site-settings/switch-currency.server.ts';

/**
 * Statements without a limit, by file and table, and the reason why they cannot change many rows.
 */
const bounded: Record<string, string> = {
  'app/features/alert-channels/hand-over-mail.server.ts insert into alert_messages':
    'the channels of one person',
  'app/features/blog/show-due-posts-job.server.ts update blog_posts':
    'posts whose day came within a minute',
  'app/features/channels/plan-channel-posts-job.server.ts update channel_posts':
    'a channel has at most 200 posts a day',
  'app/features/channels/send-channel-posts.server.ts update channels': 'at most 20 rows',
  'app/features/discovery/send-discovery-job.server.ts update discovery_services': 'two rows',
  'app/features/pictures/tidy-pictures-job.server.ts update site_counters': 'one row',
  'app/features/prices/forecast-prices.server.ts update forecast_pass': 'the one row',
  'app/features/prices/forecast-prices.server.ts update forecasts':
    'a thousand are kept each week, and each is judged once',
  [`${currency} delete from deal_forecasts`]: once,
  [`${currency} delete from product_lows`]: once,
  [`${currency} delete from store_checks`]: once,
  [`${currency} delete from watch_requests`]: once,
  [`${currency} update deals`]: once,
  [`${currency} update forecasts`]: once,
  [`${currency} update merchants`]: once,
  [`${currency} update watched_searches`]: once,
  'app/features/moved-subscribers/run-subscriber-move.server.ts insert into mail_suspensions':
    'the lines of a batch',
  'app/features/moved-subscribers/run-subscriber-move.server.ts insert into newsletter_subscriptions':
    'the lines of a batch',
  'app/features/moved-subscribers/run-subscriber-move.server.ts update subscriber_move_rows':
    'the lines of a batch',
  'app/features/watched-searches/notify-of-searches-job.server.ts insert into push_outbox':
    'the browsers of one person',
};

/** Returns SQL changes that name neither a limit, nor the rows of a batch, nor a single row. */
function unbounded(file: string): string[] {
  const texts = read(file).match(/`(?:[^`\\]|\\.)*`/g) ?? [];
  return texts.flatMap((text) => {
    const changed = /\b(update(?! of| skip)|delete from|insert into)\s+(\$\{[^}]*\}|\w+)/.exec(
      text,
    );
    const isLot =
      /\blimit\s*\$\{|= any\(\$\{|\bid = \$\{|\bctid (?:>=|= any)|\bvalues\b|\bunnest\(\$\{|json_to_recordset\(\$\{/;
    return changed && !isLot.test(text) ? [`${file} ${changed[1]} ${changed[2]}`] : [];
  });
}

const sources = [
  ...read('app/jobs.server.ts').matchAll(/from '#(app|database)\/([^']+\.ts)'/g),
].map(([, folder, name]) => `${folder}/${name}`);

test('changes a limited number of rows in every statement of a job', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect([...new Set(sources.flatMap(unbounded))].toSorted()).toEqual(
    Object.keys(bounded).toSorted(),
  );
});
