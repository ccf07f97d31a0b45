/** Milliseconds of processor for one: of the site's process, and of the database. */
export interface UnitCost {
  what: string;
  site: number;
  database: number;
}

/**
 * By `npm run bench -- costs --deals 100000` on 2026-11-24, on two cores at a load of 7 from other work, which makes them dear: a list made anew
 * took 3 and 0.8 ms on a quiet machine. Whoever measures anew writes it here; `npm run bench -- scaling --write` does the rest.
 */
export const costs = {
  kept: { what: 'a page in memory', site: 0.022, database: 0 },
  list: { what: 'a list made anew', site: 6.5, database: 1.4 },
  deal: { what: 'a deal’s page made anew', site: 4.5, database: 5.3 },
  search: { what: 'a search', site: 11.1, database: 35.3 },
  suggestions: { what: 'suggestions', site: 3, database: 4.7 },
  api: { what: 'an answer of the API', site: 4.1, database: 3.9 },
  picture: { what: 'a picture of 6 kB', site: 0.625, database: 0.239 },
  click: { what: 'a click', site: 0.75, database: 0.436 },
  price: { what: 'a changed price', site: 0, database: 0.382 },
  alert: { what: 'a price that fires an alert', site: 0, database: 0.422 },
  mail: { what: 'a mail of an alert', site: 9.2, database: 5 },
} satisfies Record<string, UnitCost>;

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
