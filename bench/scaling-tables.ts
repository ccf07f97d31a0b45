import { readFile, writeFile } from 'node:fs/promises';
import { planOf, ratesOf, type Rates, type SiteSize } from '#bench/scaling.ts';
import { backupOfGb, bytes, clocked, costs, perProcess } from '#bench/scaling-costs.ts';
import { habits } from '#bench/scaling-habits.ts';
import { type QueueClass, simulateQueue } from '#bench/simulate-queue.ts';

const sizes: SiteSize[] = [
  { views: 1e6, deals: 1e5, prices: 1e7 },
  { views: 1e7, deals: 1e6, prices: 2e8 },
  { views: 1e8, deals: 1e7, prices: 2e9 },
];

/** The tables of docs/scaling.md, by the names of their places there. */
const tables: Record<string, () => string[][]> = {
  costs: costRows,
  machine: machineRows,
  visitors: () =>
    columnsOf(
      'page views a month',
      sizes.map(({ views }) => figure(views)),
      visitorRows,
    ),
  catalog: () =>
    columnsOf(
      'deals',
      sizes.map(({ deals }) => figure(deals)),
      catalogRows,
    ),
  log: () =>
    columnsOf(
      'logged prices',
      sizes.map(({ prices }) => figure(prices)),
      logRows,
    ),
  waits: waitRows,
  thresholds: thresholdRows,
};

/** Each table between its markers, computed anew; null when one of them has no place. */
export function withScalingTables(text: string): string | null {
  let updated = text;
  for (const [name, rows] of Object.entries(tables)) {
    const begin = `<!-- table: ${name} -->\n`;
    const from = updated.indexOf(begin);
    const to = updated.indexOf('<!-- /table -->', from);
    if (from < 0 || to < 0) return null;
    updated = updated.slice(0, from + begin.length) + markdown(rows()) + updated.slice(to);
  }
  return updated;
}

export const scalingDocument = new URL('../docs/scaling.md', import.meta.url);

/** Throws where the document lacks a table's markers. */
export async function writeScalingTables(): Promise<void> {
  const updated = withScalingTables(await readFile(scalingDocument, 'utf8'));
  if (updated === null) throw new Error('docs/scaling.md lacks the markers of a table.');
  await writeFile(scalingDocument, updated);
}

/** What one site needs, for the command line. */
export function planRows(site: SiteSize): string[][] {
  const heading = [
    '',
    `${figure(site.views)} views, ${figure(site.deals)} deals, ${figure(site.prices)} prices`,
  ];
  return [heading, ...visitorRows([site]), ...catalogRows([site]), ...logRows([site])];
}

function markdown([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + `|${'---|'.repeat(head.length)}\n` + rows.map(line).join('');
}

const columnsOf = (what: string, heads: string[], rows: (of: SiteSize[]) => string[][]) => [
  [what, ...heads],
  ...rows(sizes),
];

function costRows(): string[][] {
  return [
    ['milliseconds of processor', 'site', 'database', 'one processor of each does'],
    ...Object.values(costs).map(({ what, site, database }) => [
      what,
      figure(site),
      figure(database),
      `${figure(1_000 / Math.max(site, database))} a second`,
    ]),
  ];
}

/** Four processors, two each for the site and the database, as busy as is planned. */
function machineRows(): string[][] {
  const ms = 2_000 * habits.mostBusy;
  const least = ({ site, database }: { site: number; database: number }) =>
    Math.min(site > 0 ? ms / site : Infinity, database > 0 ? ms / database : Infinity);
  const aSecond = (what: string, cost: { site: number; database: number }) => [
    what,
    `${figure(least(cost))} a second`,
  ];
  const anHour = (what: string, cost: { site: number; database: number }) => [
    what,
    `${figure(least(cost) * 3_600)} an hour`,
  ];
  // One feed at a time in a process, each with a processor of its own.
  const feed = 3_600_000 / clocked.feedRow;
  return [
    ['alone', 'carried'],
    aSecond('pages in memory', costs.kept),
    aSecond('lists made anew', costs.list),
    aSecond('searches', costs.search),
    aSecond('pictures', costs.picture),
    anHour('price changes', costs.price),
    anHour('fired alerts', costs.alert),
    ['rows of feeds, a tenth changed, one feed at a time', `${figure(feed)} an hour`],
    anHour('mails, by the processor', costs.mail),
    [
      `mails, at a mail server that takes ${habits.mailServerMs} ms`,
      `${figure((5 * 3_600_000) / habits.mailServerMs)} an hour a process`,
    ],
    [
      'page views a month, everything together',
      figure(mostViews(2 * habits.mostBusy, 2 * habits.mostBusy, false)),
    ],
  ];
}

function visitorRows(of: SiteSize[]): string[][] {
  const alone = of.map((site) => planOf(site));
  const behind = of.map((site) => planOf(site, true));
  return [
    ['page views a second, busiest hour', ...alone.map(({ peak }) => figure(peak))],
    [
      'of them made anew or searches',
      ...alone.map(({ rates }) => figure(rates.list + rates.deal + rates.search)),
    ],
    ['pictures a second', ...alone.map(({ rates }) => figure(rates.picture))],
    ['Mbit/s', ...alone.map(({ megabitsASecond }) => figure(megabitsASecond))],
    ['busy processors, site', ...alone.map(({ busy }) => figure(busy.site))],
    ['busy processors, database', ...alone.map(({ busy }) => figure(busy.database))],
    ['processes of ROLE=web', ...alone.map(({ web }) => figure(web))],
    ['the same behind a CDN or Varnish', ...behind.map(({ web }) => figure(web))],
    [
      'processors of the database, jobs included',
      ...alone.map(({ databaseCores }) => figure(databaseCores)),
    ],
    ['connections at most', ...alone.map(({ connections }) => figure(connections))],
    [
      'memory of the site, GB',
      ...alone.map(({ web, workers }) => figure(((web + workers) * perProcess.memoryMb) / 1_000)),
    ],
  ];
}

function catalogRows(of: SiteSize[]): string[][] {
  const plans = of.map((site) => planOf(site));
  return [
    ['price changes a day', ...plans.map(({ changesADay }) => figure(changesADay))],
    ['mails of alerts a day', ...plans.map(({ mailsADay }) => figure(mailsADay))],
    [
      'minutes a day to read the feeds',
      ...of.map(({ deals }) => figure((deals * habits.readADay * clocked.feedRow) / 60_000)),
    ],
    ['processes of ROLE=worker', ...plans.map(({ workers }) => figure(workers))],
    [
      'minutes of forecasts a night',
      ...plans.map(({ nightMinutes }) => figure(nightMinutes.forecasts)),
    ],
    [
      'minutes of the discount check',
      ...plans.map(({ nightMinutes }) => figure(nightMinutes.check)),
    ],
    ['deals on the disk, GB', ...plans.map(({ diskGb }) => figure(diskGb.deals))],
    ['a year of clicks, GB', ...plans.map(({ diskGb }) => figure(diskGb.clicksOfAYear))],
    ['copies of all pictures, GB', ...plans.map(({ diskGb }) => figure(diskGb.pictures))],
  ];
}

function logRows(of: SiteSize[]): string[][] {
  const plans = of.map((site) => planOf(site));
  return [
    ['the log on the disk, GB', ...plans.map(({ diskGb }) => figure(diskGb.prices))],
    [
      'the log in partitions, GB',
      ...of.map(({ prices }) => figure((prices * (bytes.line + bytes.partitionedIndexes)) / 1e9)),
    ],
    [
      'index that new prices go into, GB',
      ...plans.map(({ hotIndexGb }) => figure(hotIndexGb.oneTable)),
    ],
    [
      'the same in partitions of a year, GB',
      ...plans.map(({ hotIndexGb }) => figure(hotIndexGb.partitions)),
    ],
    [
      'years until there are so many',
      ...of.map(({ deals, prices }) => figure(prices / deals / habits.changesAMonth / 12)),
    ],
  ];
}

function classesOf(rates: Rates): QueueClass[] {
  const names = Object.keys(rates) as (keyof Rates)[];
  return names.map((name) => ({ rate: rates[name], ms: costs[name].site }));
}

/** Milliseconds that 99 of 100 wait for a processor at most, in five minutes of the busiest hour. */
function waitRows(): string[][] {
  const bursts = [
    { times: 1, seconds: 0 },
    { times: 1.5, seconds: 120 },
    { times: 3, seconds: 10 },
  ];
  const rows = sizes.map((site) => {
    const { web, busy } = planOf(site);
    const classes = classesOf(ratesOf(site.views));
    const p99s = bursts.map((burst) => {
      return figure(simulateQueue(classes, { servers: web, seconds: 300, burst }).p99);
    });
    return [figure(site.views), figure(web), `${Math.round((busy.site / web) * 100)} %`, ...p99s];
  });
  return [['views a month', 'processes', 'busy', 'wait in ms', 'newsletter', 'rush'], ...rows];
}

/** The most page views a month that so many busy processors answer. */
export function mostViews(site: number, database: number, hasCacheInFront: boolean): number {
  const { busy } = planOf({ views: 1e6, deals: 0, prices: 0 }, hasCacheInFront);
  return Math.min(site / busy.site, database / busy.database) * 1e6;
}

function thresholdRows(): string[][] {
  const { mostBusy } = habits;
  const perView = planOf({ views: 1e6, deals: 0, prices: 0 }).megabitsASecond / 1e6;
  const forecastMinutes = 50;
  const indexGb = 8;
  return [
    ['when you reach', 'which is', 'add'],
    [
      'one processor of the site 60 % busy',
      `${figure(mostViews(mostBusy, Infinity, false))} views a month`,
      'a second process: `ROLE=web` twice, one `ROLE=worker`',
    ],
    [
      'two processors of the database 60 % busy',
      `${figure(mostViews(Infinity, 2 * mostBusy, false))} views a month`,
      'processors, then standbys: `DATABASE_URL_READ`',
    ],
    [
      '500 Mbit/s',
      `${figure(500 / perView)} views a month`,
      'a CDN or Varnish in front, before any machine for pages',
    ],
    [
      '100 connections',
      `${figure(Math.floor((100 - perProcess.workerConnections) / perProcess.webConnections))} web processes and a worker`,
      'pgbouncer, with `DATABASE_URL_DIRECT`',
    ],
    [
      `${forecastMinutes} minutes of forecasts, all that a night has`,
      `${figure((forecastMinutes * 60_000) / clocked.forecast)} deals`,
      'a faster processor for the database; beyond it, forecasts are two days apart',
    ],
    [
      `an index by deal of ${indexGb} GB, beyond the memory for it`,
      `${figure((indexGb * 1e9) / bytes.indexByDeal)} logged prices`,
      'memory, or the log in partitions',
    ],
    [
      'an hour for the backup of a night',
      `${figure(3_600_000 / backupOfGb)} GB of database`,
      'pgbackrest, and `BACKUPS=off`',
    ],
    [
      'what one process sends, all day long',
      `${figure((5 * 86_400_000) / habits.mailServerMs)} mails a day`,
      'a second `ROLE=worker`',
    ],
  ];
}

/** Three figures that count; thousands by name from a million on. */
export function figure(value: number): string {
  if (value === 0) return '0';
  if (value >= 1e9) return `${Number((value / 1e9).toPrecision(2))} bn`;
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(2))} million`;
  if (value >= 1_000) return Number(value.toPrecision(2)).toLocaleString('en-US');
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}
