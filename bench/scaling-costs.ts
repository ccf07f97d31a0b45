/** Milliseconds of processor for one: of the site's process, and of the database. */
export interface UnitCost {
  what: string;
  site: number;
  database: number;
}

/**
 * By `npm run bench -- costs --deals 100000` on 2026-11-24, on two cores at a load of 17 from other work, which makes them dear: a list
 * made anew took 3 and 0.8 ms on a quiet machine. Whoever measures anew writes it here; `npm run bench -- scaling --write` does
 * the rest.
 */
export const costs = {
  kept: { what: 'a page in memory', site: 0.03, database: 0 },
  list: { what: 'a list made anew', site: 7.5, database: 1.4 },
  deal: { what: 'a deal’s page made anew', site: 6.4, database: 6.3 },
  search: { what: 'a search', site: 12.8, database: 37.7 },
  suggestions: { what: 'suggestions', site: 3.1, database: 5.1 },
  api: { what: 'an answer of the API', site: 5.4, database: 4.5 },
  picture: { what: 'a picture of 6 kB', site: 0.975, database: 0.315 },
  click: { what: 'a click', site: 0.8, database: 0.45 },
  price: { what: 'a changed price', site: 0, database: 0.347 },
  alert: { what: 'a price that fires an alert', site: 0, database: 0.376 },
  mail: { what: 'a mail of an alert', site: 8.9, database: 5.2 },
} satisfies Record<string, UnitCost>;

/** Milliseconds of the site's processor for a backup, written and read back, of each GB of the database: by `costs`, too. */
export const backupOfGb = 27_400;

/** Milliseconds by the clock, the site's and the database's work together (bench/README.md, 2026-11-24). */
export const clocked = {
  /** `import`: 8 s for 100,000 rows, a tenth changed. */
  feedRow: 0.08,
  /** `discounts --deals 40000`: 10.3 s with 27 lines a deal, and 7 s for the check of a night. */
  forecast: 0.258,
  check: 0.175,
};

/** On the disk, as `costs` and `log` measured them, and what goes over the line (bench/README.md). */
export const bytes = {
  deal: 4_520,
  clickDay: 96,
  line: 85,
  lineIndexes: 63,
  partitionedIndexes: 72,
  /** Of the indexes of a line the one by deal, whose every part is written to. */
  indexByDeal: 40,
  copiedPicture: 100_000,
  page: 13_000,
  shownPicture: 6_000,
};

/** A process of the site under load (docs/operations.md, Memory), and the connections it may open (Several processes). */
export const perProcess = { memoryMb: 292, webConnections: 11, workerConnections: 14 };
