import { KeysByTag } from '#server/keys-by-tag.ts';

interface Weighed {
  /** bytes, including the cache's bookkeeping such as tags */
  bytes: number;
}

/** The result of a render for the cache. `policy` is null if the page must not be shared. */
export interface Rendered<Page extends Weighed> {
  page: Page;
  policy: { seconds: number; tags: readonly string[]; until?: Date | null } | null;
}

/** Renders the page for a key. A single function for all keys avoids an allocation per hit. */
type Render<Page extends Weighed> = (key: string) => Promise<Rendered<Page> | null>;

interface Entry<Page> {
  page: Page;
  /** The page's size, as included in the cache's total. */
  bytes: number;
  tags: readonly string[];
  storedAt: number;
  freshUntil: number;
  /** The time when the page becomes wrong even without a change. */
  rightUntil: number;
  /**
   * Whether a change made the page wrong. Such a page is shown only if no newer one is available.
   */
  isOutdated: boolean;
  /** The end of the pause after a failed render. Until then, the stale page is shown. */
  serveStaleUntil: number;
}

interface Flight<Page extends Weighed> {
  promise: Promise<Rendered<Page> | null>;
  /** Tags invalidated during this render, which may have read the old rows. */
  invalidated: Set<string>;
}

/** Seconds for which a page is shown while a new one is rendered, or while rendering fails. */
const usualTimes = { stale: 60, staleIfError: 600 };
const pauseAfterFailureSeconds = 5;
const distrustSeconds = 10;
const notShareableSeconds = 60;
const mostNotShareable = 2000;

/**
 * Caches rendered pages that all signed-out visitors share. Evicts the least recently used pages
 * when the memory is full. Only one render per key runs at a time, and tags invalidate pages. The
 * caller decides which pages are cached. While renders fail, an outdated page is shown as stale for
 * ten minutes, marked by `markStale`. `markUncacheable` marks pages that may become wrong without
 * notice: pages whose rows changed during the render, and all pages while notifications are
 * missing.
 */
export class PageCache<Page extends Weighed> {
  readonly stats = {
    hits: 0,
    stale: 0,
    misses: 0,
    joined: 0,
    staleOnError: 0,
    evicted: 0,
    invalidated: 0,
  };
  readonly #entries = new Map<string, Entry<Page>>(); // Entries, the least recently used first.
  readonly #keysByTag = new KeysByTag();
  readonly #flights = new Map<string, Flight<Page>>();
  readonly #running = new Set<Flight<Page>>();
  readonly #notShareable = new Map<string, number>();
  readonly #mostBytes: number;
  readonly #now: () => number;
  readonly #times: typeof usualTimes;
  readonly #markStale: (page: Page, secondsTooOld: number) => Page;
  readonly #markUncacheable: (page: Page) => Page;
  #last: Entry<Page> | null = null;
  #bytes = 0;
  #isTrusted = true;

  constructor(options: {
    maxBytes: number;
    now?: () => number;
    times?: typeof usualTimes;
    markStale?: (page: Page, secondsTooOld: number) => Page;
    markUncacheable?: (page: Page) => Page;
  }) {
    this.#mostBytes = options.maxBytes;
    this.#now = options.now ?? Date.now;
    this.#times = options.times ?? usualTimes;
    this.#markStale = options.markStale ?? ((page) => page);
    this.#markUncacheable = options.markUncacheable ?? ((page) => page);
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /**
   * Returns the page from the cache or a new render, or null if the page must be rendered for its
   * visitor. Rejects if the render fails and there is no stale page.
   */
  async read(key: string, render: Render<Page>): Promise<Page | null> {
    const cached = this.peek(key, render);
    if (cached) return cached;
    if (this.#isKnownNotShareable(key)) return null;
    this.stats.misses++;
    try {
      const page = (await this.#render(key, render))?.page;
      return page ? this.#sure(page) : null;
    } catch (error) {
      const old = this.#entries.get(key);
      const now = this.#now();
      if (!old || now > old.freshUntil + this.#times.staleIfError * 1000) throw error;
      old.serveStaleUntil = now + pauseAfterFailureSeconds * 1000;
      return this.#staleIfError(old);
    }
  }

  /**
   * Returns the cached page without waiting, if it may be shown. Starts a renewal if the page is
   * slightly too old.
   */
  peek(key: string, render: Render<Page>): Page | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    const now = this.#now();
    if (now > entry.freshUntil + this.#times.staleIfError * 1000) {
      this.#drop(key, entry);
      return null;
    }
    const isStaleOnError = now < entry.serveStaleUntil;
    if (!isStaleOnError && !this.#mayShow(entry, now)) return null;
    this.#putLast(key, entry);
    if (isStaleOnError) return this.#staleIfError(entry);
    if (now <= entry.freshUntil) this.stats.hits++;
    else {
      this.stats.stale++;
      this.#render(key, render).catch(() => {
        entry.serveStaleUntil = this.#now() + pauseAfterFailureSeconds * 1000;
      });
    }
    return this.#sure(entry.page);
  }

  /**
   * Drops all pages with any of these tags (`all`: every page). With `mayBeStale`, keeps them as
   * stale pages.
   */
  invalidate(tags: readonly string[], mayBeStale = false): void {
    const keys = tags.includes('all')
      ? [...this.#entries.keys()]
      : tags.flatMap((tag) => this.#keysByTag.keysOf(tag));
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (!entry) continue;
      if (mayBeStale) this.#outdate(entry);
      else this.#drop(key, entry);
      this.stats.invalidated++;
    }
    // Running renders may have read the old rows. Waiting readers get their result, but new readers
    // do not.
    for (const flight of this.#running) for (const tag of tags) flight.invalidated.add(tag);
    this.#flights.clear();
    this.#notShareable.clear();
  }

  /** Updates the size of a page that has grown because it was requested in another encoding. */
  weighAnew(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#bytes += entry.page.bytes - entry.bytes;
    entry.bytes = entry.page.bytes;
    this.#makeRoom();
  }

  /**
   * Sets whether notifications arrive. While they are missing, pages are cached only for a few
   * seconds.
   */
  trust(isTrusted: boolean): void {
    this.#isTrusted = isTrusted;
  }

  /**
   * Marks an entry as the most recently used. Does nothing if it already is, as for a popular page.
   */
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

  /**
   * Marks an entry as outdated. A notification proves that the database responds, so the pause
   * after an earlier failure ends.
   */
  #outdate(entry: Entry<Page>): void {
    entry.isOutdated = true;
    entry.freshUntil = Math.min(entry.freshUntil, this.#now());
    entry.serveStaleUntil = 0;
  }

  #sure(page: Page): Page {
    return this.#isTrusted ? page : this.#markUncacheable(page);
  }

  #staleIfError(entry: Entry<Page>): Page {
    this.stats.staleOnError++;
    const tooOldSince = Math.max(0, this.#now() - entry.freshUntil);
    return this.#markStale(entry.page, Math.floor(tooOldSince / 1000));
  }

  async #render(key: string, render: Render<Page>): Promise<Rendered<Page> | null> {
    const joined = this.#flights.get(key);
    if (joined) {
      this.stats.joined++;
      return joined.promise;
    }
    const flight: Flight<Page> = { invalidated: new Set(), promise: Promise.resolve(null) };
    this.#running.add(flight);
    this.#flights.set(key, flight);
    flight.promise = render(key)
      .then((rendered) => this.#store(key, rendered, flight.invalidated))
      .finally(() => {
        this.#running.delete(flight);
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    return flight.promise;
  }

  /** Stores the page and returns it for the waiting readers. */
  #store(
    key: string,
    rendered: Rendered<Page> | null,
    invalidated: ReadonlySet<string>,
  ): Rendered<Page> | null {
    const old = this.#entries.get(key);
    if (!rendered?.policy) {
      if (old) this.#drop(key, old);
      if (!rendered) this.#rememberNotShareable(key);
      return rendered;
    }
    const { tags, seconds, until } = rendered.policy;
    if (invalidated.has('all') || tags.some((tag) => invalidated.has(tag))) {
      return { page: this.#markUncacheable(rendered.page), policy: null };
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
      serveStaleUntil: 0,
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

  /** Remembers that a page is never shared. Otherwise, each visit would cause two renders. */
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
