import { KeysByTag } from '#server/keys-by-tag.ts';

interface Weighed {
  /** With all that it costs to keep it, its tags included. */
  bytes: number;
}

/** What a render for the cache made: `keep` is null when nobody else may have it. */
export interface Rendered<Page extends Weighed> {
  page: Page;
  keep: { seconds: number; tags: readonly string[]; until?: Date | null } | null;
}

/** The same function for all keys: a hit then makes no function of its own. */
type Render<Page extends Weighed> = (key: string) => Promise<Rendered<Page> | null>;

interface Entry<Page> {
  page: Page;
  /** What it was counted with, of all that the cache holds. */
  bytes: number;
  tags: readonly string[];
  storedAt: number;
  freshUntil: number;
  /** From then on it is wrong without any change. */
  rightUntil: number;
  /** A change has made it wrong: shown only when nothing newer can be had. */
  isOutdated: boolean;
  /** After a failed render the old page stands in until then. */
  standInUntil: number;
}

interface Flight<Page extends Weighed> {
  promise: Promise<Rendered<Page> | null>;
  /** Tags that were emptied while this render was under way: it may have read what they held before. */
  emptied: Set<string>;
}

/** For so many seconds a page is shown while a new one is made, and stands in while none can be. */
const usualTimes = { stale: 60, standIn: 600 };
const pauseAfterFailureSeconds = 5;
const distrustSeconds = 10;
const notShareableSeconds = 60;
const mostNotShareable = 2000;

/**
 * Finished pages that all signed-out visitors share: the least recently used go first when the memory is full, each key
 * is rendered once at a time, and tags empty it. The caller decides what may enter. An outdated page stands in for ten
 * minutes while renders fail (R62), marked by `markStandIn`. `markUnsure` marks what may be wrong although nobody here knows
 * it: a page of rows that changed while it was made, and every page while no news is heard.
 */
export class PageCache<Page extends Weighed> {
  readonly stats = { hits: 0, stale: 0, misses: 0, joined: 0, stoodIn: 0, evicted: 0, emptied: 0 };
  readonly #entries = new Map<string, Entry<Page>>(); // in order of use
  readonly #keysByTag = new KeysByTag();
  readonly #flights = new Map<string, Flight<Page>>();
  readonly #running = new Set<Flight<Page>>();
  readonly #notShareable = new Map<string, number>();
  readonly #mostBytes: number;
  readonly #now: () => number;
  readonly #times: typeof usualTimes;
  readonly #markStandIn: (page: Page, secondsTooOld: number) => Page;
  readonly #markUnsure: (page: Page) => Page;
  #last: Entry<Page> | null = null;
  #bytes = 0;
  #isTrusted = true;

  constructor(options: {
    maxBytes: number;
    now?: () => number;
    times?: typeof usualTimes;
    markStandIn?: (page: Page, secondsTooOld: number) => Page;
    markUnsure?: (page: Page) => Page;
  }) {
    this.#mostBytes = options.maxBytes;
    this.#now = options.now ?? Date.now;
    this.#times = options.times ?? usualTimes;
    this.#markStandIn = options.markStandIn ?? ((page) => page);
    this.#markUnsure = options.markUnsure ?? ((page) => page);
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /** The page, kept or rendered now; null when it must be rendered for its visitor. Rejects when none can stand in. */
  async read(key: string, render: Render<Page>): Promise<Page | null> {
    const kept = this.peek(key, render);
    if (kept) return kept;
    if (this.#isKnownNotShareable(key)) return null;
    this.stats.misses++;
    try {
      const page = (await this.#render(key, render))?.page;
      return page ? this.#sure(page) : null;
    } catch (error) {
      const old = this.#entries.get(key);
      const now = this.#now();
      if (!old || now > old.freshUntil + this.#times.standIn * 1000) throw error;
      old.standInUntil = now + pauseAfterFailureSeconds * 1000;
      return this.#standIn(old);
    }
  }

  /** The kept page, without waiting, when it may be shown; starts its renewal when it is a little too old. */
  peek(key: string, render: Render<Page>): Page | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    const now = this.#now();
    if (now > entry.freshUntil + this.#times.standIn * 1000) {
      this.#drop(key, entry);
      return null;
    }
    const isStandIn = now < entry.standInUntil;
    if (!isStandIn && !this.#mayShow(entry, now)) return null;
    this.#putLast(key, entry);
    if (isStandIn) return this.#standIn(entry);
    if (now <= entry.freshUntil) this.stats.hits++;
    else {
      this.stats.stale++;
      this.#render(key, render).catch(() => {
        entry.standInUntil = this.#now() + pauseAfterFailureSeconds * 1000;
      });
    }
    return this.#sure(entry.page);
  }

  /** Drops the pages with any of these tags (`all`: every page), or where they `mayStandIn` keeps them for that. */
  empty(tags: readonly string[], mayStandIn = false): void {
    const keys = tags.includes('all')
      ? [...this.#entries.keys()]
      : tags.flatMap((tag) => this.#keysByTag.keysOf(tag));
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (!entry) continue;
      if (mayStandIn) this.#outdate(entry);
      else this.#drop(key, entry);
      this.stats.emptied++;
    }
    // Renders under way may have read the old rows: they finish for those who wait, and nobody joins them.
    for (const flight of this.#running) for (const tag of tags) flight.emptied.add(tag);
    this.#flights.clear();
    this.#notShareable.clear();
  }

  /** For a page that came to weigh more since it was kept: somebody asked for it in another form. */
  weighAnew(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#bytes += entry.page.bytes - entry.bytes;
    entry.bytes = entry.page.bytes;
    this.#makeRoom();
  }

  /** While the news of changes cannot be heard, pages are shown for a few seconds only. */
  trust(isTrusted: boolean): void {
    this.#isTrusted = isTrusted;
  }

  /** In the order of use. A page that everybody asks for is there already. */
  #putLast(key: string, entry: Entry<Page>): void {
    if (entry === this.#last) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#last = entry;
  }

  #mayShow(entry: Entry<Page>, now: number): boolean {
    if (entry.isOutdated || now >= entry.rightUntil) return false;
    if (!this.#isTrusted && now > entry.storedAt + distrustSeconds * 1000) return false;
    return now <= entry.freshUntil + this.#times.stale * 1000;
  }

  /** The news came from the database, so a new page can be had: no pause after an earlier failure. */
  #outdate(entry: Entry<Page>): void {
    entry.isOutdated = true;
    entry.freshUntil = Math.min(entry.freshUntil, this.#now());
    entry.standInUntil = 0;
  }

  #sure(page: Page): Page {
    return this.#isTrusted ? page : this.#markUnsure(page);
  }

  #standIn(entry: Entry<Page>): Page {
    this.stats.stoodIn++;
    const tooOldSince = Math.max(0, this.#now() - entry.freshUntil);
    return this.#markStandIn(entry.page, Math.floor(tooOldSince / 1000));
  }

  async #render(key: string, render: Render<Page>): Promise<Rendered<Page> | null> {
    const joined = this.#flights.get(key);
    if (joined) {
      this.stats.joined++;
      return joined.promise;
    }
    const flight: Flight<Page> = { emptied: new Set(), promise: Promise.resolve(null) };
    this.#running.add(flight);
    this.#flights.set(key, flight);
    flight.promise = render(key)
      .then((rendered) => this.#keep(key, rendered, flight.emptied))
      .finally(() => {
        this.#running.delete(flight);
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    return flight.promise;
  }

  /** Answers what those get who waited for it. */
  #keep(
    key: string,
    rendered: Rendered<Page> | null,
    emptied: ReadonlySet<string>,
  ): Rendered<Page> | null {
    const old = this.#entries.get(key);
    if (!rendered?.keep) {
      if (old) this.#drop(key, old);
      if (!rendered) this.#rememberNotShareable(key);
      return rendered;
    }
    const { tags, seconds, until } = rendered.keep;
    if (emptied.has('all') || tags.some((tag) => emptied.has(tag))) {
      return { page: this.#markUnsure(rendered.page), keep: null };
    }
    if (old) this.#drop(key, old);
    const now = this.#now();
    const freshUntil = now + seconds * 1000;
    const { page } = rendered;
    this.#putLast(key, {
      page,
      bytes: page.bytes,
      tags,
      storedAt: now,
      freshUntil,
      rightUntil: until?.getTime() ?? Infinity,
      isOutdated: false,
      standInUntil: 0,
    });
    this.#keysByTag.add(key, tags);
    this.#bytes += page.bytes;
    this.#makeRoom();
    return rendered;
  }

  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(key, entry);
      this.stats.evicted++;
    }
  }

  #drop(key: string, entry: Entry<Page>): void {
    if (!this.#entries.delete(key)) return;
    if (entry === this.#last) this.#last = null;
    this.#bytes -= entry.bytes;
    this.#keysByTag.delete(key, entry.tags);
  }

  /** Otherwise a page that is never shared would be rendered twice for each visitor. */
  #rememberNotShareable(key: string): void {
    if (this.#notShareable.size >= mostNotShareable) this.#notShareable.clear();
    this.#notShareable.set(key, this.#now() + notShareableSeconds * 1000);
  }

  #isKnownNotShareable(key: string): boolean {
    const until = this.#notShareable.get(key);
    if (until === undefined) return false;
    if (this.#now() < until) return true;
    this.#notShareable.delete(key);
    return false;
  }
}
