import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type FeedEncoding, feedEncodings } from '#app/features/feeds/formats/feed-encodings.ts';
import {
  type FeedFormat,
  feedFields,
  type FeedMapping,
  plainFieldName,
} from '#app/features/feeds/formats/feed-fields.ts';
import { feedFormats } from '#app/features/feeds/formats/feed-formats.server.ts';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { importSampleDeals } from '#app/features/feeds/runs/import-sample-deals.server.ts';
import { findWebsite } from '#app/features/feeds/runs/import-queries.server.ts';
import { readMappingFile } from '#app/features/feeds/sources/mapping-files.server.ts';
import { otherCurrency } from '#app/features/feeds/sources/other-currency.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { sampleImportMessages } from '#app/features/feeds/runs/import-messages.ts';
import type { Db } from '#database/connect.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { print, wholeNumber, withDatabase } from '#server/commands/with-database.ts';
import { heedSignals } from '#server/heed-signals.ts';
import { importCouponList } from '#server/commands/import-coupon-list.ts';
import { describeImport } from '#server/commands/describe-import.ts';
import { showImportProgress } from '#server/commands/show-import-progress.ts';

interface Options {
  merchant?: string;
  samples?: boolean;
  format: FeedFormat;
  encoding: FeedEncoding;
  map: FeedMapping;
  category?: string;
  /** The currency for prices that name none. */
  currency?: string;
  shop?: string;
  mapping?: string;
  path?: string;
  updateOnly?: boolean;
  dryRun?: boolean;
  json?: boolean;
  /** Whether the source is a coupon list. */
  coupons?: boolean;
  list?: string;
  addStores?: boolean;
  limit: number;
  maxSize?: number;
  allowPrivate?: boolean;
}

export const importCommand = new Command('import')
  .description(
    "import a product feed: Google Merchant XML or TSV, the networks' formats, CSV, JSON",
  )
  .argument('[source]', 'a file, or an http(s) address')
  .option('--merchant <name>', 'the merchant of these products; created if it is new')
  .option('--samples', 'import the six sample deals instead of a feed')
  .addOption(
    new Option('--format <format>', 'format of the feed')
      .choices(['auto', ...feedFormats])
      .default('auto'),
  )
  .addOption(
    new Option('--encoding <encoding>', 'encoding of the feed, if its letters look wrong')
      .choices(feedEncodings)
      .default('auto'),
  )
  .option(
    '--map <field=column>',
    'where a field stands, e.g. title=product_name (repeatable)',
    addMapping,
    {},
  )
  .option('--mapping <file>', 'mapping of the columns, a file from `mappings/` or from the admin')
  .option(
    '--category <name>',
    'category for products whose own category does not exist on the site',
  )
  .option(
    '--currency <code>',
    "currency of prices without one; the site's currency by default",
    currencyCode,
  )
  .option('--shop <address>', 'where the shop is, for feeds that name no whole links')
  .option(
    '--path <path>',
    'the element or list that contains each product, such as shop/offers/offer',
  )
  .option('--limit <rows>', 'maximum number of rows to read', positiveNumber, 50_000)
  .option(
    '--max-size <megabytes>',
    'maximum number of megabytes to read, decompressed',
    positiveNumber,
  )
  .option('--allow-private', 'fetch the address even if it is inside your own network')
  .option('--coupons', 'import a coupon list (CSV, JSON or XML) instead of a product feed')
  .option(
    '--list <name>',
    'name of the coupon list; its next import ends coupons that are no longer listed',
  )
  .option('--add-stores', 'add merchants that a coupon list names and the site does not have yet')
  .option('--update-only', 'only update existing deals, using the columns of the feed')
  .option('--dry-run', 'read, check and count everything, but store nothing')
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    `
Examples:
  deals import feed.xml --merchant "Example Shop" --dry-run
  deals import https://shop.example/feed.xml.gz --merchant "Example Shop"
  deals import coupons.csv --coupons --add-stores
  deals import list.csv --merchant Example --map title=name --map sale_price=now --map original_price=was

Exit code: 0 when the whole feed was read (rows may have been rejected), 1 when it could not be read to its
end or another import is running, 130 when it was interrupted. Running again is always safe.`,
  )
  .action(async (source: string | undefined, options: Options, command: Command) => {
    const { merchant } = options;
    if (options.samples) process.exitCode = await runSamples();
    else if (source === undefined) command.error('error: name a file or an address, or --samples');
    else if (options.coupons)
      process.exitCode = await importCouponList(openable(source, options), options);
    else if (merchant === undefined)
      command.error("error: required option '--merchant <name>' not specified");
    else process.exitCode = await runImport(source, { ...options, merchant });
  });

async function runSamples(): Promise<number> {
  return withDatabase(async ({ database, env }) => {
    const { db } = database;
    const media = openMedia({ db, env });
    const result = await importSampleDeals(db, { media, now: new Date() });
    print([sampleImportMessages.done(result.imported), ...result.errors].join('\n'));
    return result.errors.length === 0 ? 0 : 1;
  });
}

async function runImport(source: string, options: Options & { merchant: string }): Promise<number> {
  return withDatabase(({ database: { db } }) => importHere(db, source, options), {
    statementTimeout: 60_000,
  });
}

async function importHere(
  db: Db,
  source: string,
  {
    map: mapping,
    maxSize,
    json,
    allowPrivate = false,
    currency,
    shop,
    path: place,
    updateOnly: updatesOnly = false,
    mapping: mappingPath,
    ...options
  }: Options & { merchant: string },
): Promise<number> {
  const { currency: site } = await readSiteSettings(db);
  if (currency !== undefined && currency !== site) {
    process.stderr.write(`error: ${otherCurrency(site)}\n`);
    return 1;
  }
  const given = mappingPath === undefined ? null : await openMapping(mappingPath);
  if (given?.ok === false) {
    process.stderr.write(`error: ${mappingPath}: ${given.reason}\n`);
    return 1;
  }
  const interruption = new AbortController();
  const endSignals = heedSignals(() => {
    process.stderr.write('\nStopping after this batch. Press Ctrl+C again to stop at once.\n');
    interruption.abort();
  });
  const progress = showImportProgress(process.stderr);
  const bytes = maxSize && maxSize * 1024 * 1024;
  try {
    const report = await importFeed(
      db,
      openable(source, { allowPrivate }),
      {
        ...options,
        mapping,
        mappingFile: given?.file ?? null,
        place,
        updatesOnly,
        feedCurrency: currency,
        shop: shop ?? (await findShop(db, options.merchant, source)),
        sizeLimits: bytes ? { rawBytes: bytes, unpackedBytes: bytes } : undefined,
        signal: interruption.signal,
        startedBy: 'cli',
      },
      (facts) => progress.update(facts),
    );
    progress.end();
    const seconds = progress.seconds();
    process.stdout.write(
      json
        ? `${JSON.stringify({ ...report, seconds }, null, 2)}\n`
        : describeImport(report, { seconds, isDryRun: options.dryRun ?? false }),
    );
    if (report.state === 'interrupted') return 130;
    return report.state === 'done' || report.state === 'asking' ? 0 : 1;
  } finally {
    endSignals();
  }
}

function openable(source: string, { allowPrivate }: { allowPrivate?: boolean }) {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(source) ? { url: source, allowPrivate } : { file: source };
}

async function openMapping(file: string) {
  return readMappingFile(await readFile(file, 'utf8').catch(() => ''));
}

/** Returns the merchant's website, or the origin of the feed's URL. */
async function findShop(db: Db, merchant: string, source: string): Promise<string | null> {
  return (
    (await findWebsite(db, merchant)) ??
    (/^https?:/i.test(source) ? URL.parse(source) : null)?.origin ??
    null
  );
}

function addMapping(value: string, before: FeedMapping): FeedMapping {
  const [name = '', ...rest] = value.split('=');
  const column = rest.join('=').trim();
  const field = feedFields.find((known) => known === name.trim());
  if (!field) {
    const fields = feedFields.join(', ');
    throw new InvalidArgumentError(`"${name}" is not a field; the fields are ${fields}`);
  }
  if (plainFieldName(column) === '') {
    throw new InvalidArgumentError(`"${value}" names no column; write ${field}=COLUMN`);
  }
  return { ...before, [field]: column };
}

function positiveNumber(value: string): number {
  return wholeNumber(value.replaceAll(/[,_]/g, ''));
}

function currencyCode(value: string): string {
  if (!/^[a-z]{3}$/i.test(value))
    throw new InvalidArgumentError('A code of three letters, such as USD.');
  return value.toUpperCase();
}
