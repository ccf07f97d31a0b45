import { addressKey } from '#app/platform/address-key.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { allowance, limit, type LimitAnswer } from '#app/platform/rate-limit.server.ts';
import { mostConcurrentPages } from '#app/platform/rate-limits.ts';

/** pages per batch reported to the shared counter, so that most pages cause no database write */
const lot = 20;
const mostVisitors = 20_000;
/** pictures per page; a page requests about ten at most, because pictures are cached for a year */
const partOfPage = 1 / 10;

interface Visitor {
  /** The number of pages being rendered. */
  open: number;
  /** The number of pages since the last batch. */
  counted: number;
  refusedUntil: number;
  lastSeen: number;
}

export type Admission =
  | { ok: true; leave(): void }
  | { ok: false; status: 429 | 503; retryAfterSeconds: number };

/**
 * Limits pages and searches per IP address (see the table in security.md). `now` is in milliseconds
 * and never decreases.
 */
export class VisitorLimits {
  readonly #services: AppServices;
  readonly #now: () => number;
  readonly #visitors = new Map<string, Visitor>();

  constructor(services: AppServices, now: () => number = () => performance.now()) {
    this.#services = services;
    this.#now = now;
  }

  /**
   * Decides whether to admit a request. `pathname` is normalized, so that no spelling of a path
   * bypasses the limit.
   */
  async admit(address: string, pathname: string, search: string): Promise<Admission> {
    const visitor = this.#visitorOf(address);
    const page = await this.#countPage(visitor, address);
    if (!page.ok) return { ...page, status: 429 };
    if (isSearch(pathname, search)) {
      for (const name of ['search-burst', 'search'] as const) {
        const answer = await this.#ask(() => limit(this.#services, name, address));
        if (!answer.ok) return { ...answer, status: 429 };
      }
    }
    if (isPriceCheck(pathname, search)) {
      const answer = await this.#ask(() => limit(this.#services, 'price-check', address));
      if (!answer.ok) return { ...answer, status: 429 };
    }
    const isLimited = allowance(this.#services, 'page').points > 0;
    if (isLimited && visitor.open >= mostConcurrentPages) {
      return { ok: false, status: 503, retryAfterSeconds: 1 };
    }
    visitor.open += 1;
    let hasLeft = false;
    return {
      ok: true,
      leave: () => {
        if (!hasLeft) visitor.open -= 1;
        hasLeft = true;
      },
    };
  }

  /**
   * Counts a picture, which needs a query, as a fraction of a page, because pages show dozens of
   * them.
   */
  async admitPicture(address: string): Promise<LimitAnswer> {
    return this.#countPage(this.#visitorOf(address), address, partOfPage);
  }

  async #countPage(visitor: Visitor, address: string, weight = 1): Promise<LimitAnswer> {
    if (allowance(this.#services, 'page').points === 0) return { ok: true };
    const now = this.#now();
    if (now < visitor.refusedUntil) {
      return { ok: false, retryAfterSeconds: Math.ceil((visitor.refusedUntil - now) / 1000) };
    }
    visitor.counted += weight;
    if (visitor.counted < lot) return { ok: true };
    visitor.counted = 0;
    const answer = await this.#ask(() => limit(this.#services, 'page', address, lot));
    if (!answer.ok) visitor.refusedUntil = now + answer.retryAfterSeconds * 1000;
    return answer;
  }

  /**
   * Asks the shared counter. Admits visitors while the database is unreachable, because only the
   * page cache works then, which needs no limit.
   */
  async #ask(question: () => Promise<LimitAnswer>): Promise<LimitAnswer> {
    try {
      return await question();
    } catch (error) {
      this.#services.log.warn({ err: error }, 'a limit could not be counted');
      return { ok: true };
    }
  }

  #visitorOf(address: string): Visitor {
    const key = addressKey(address);
    const now = this.#now();
    let visitor = this.#visitors.get(key);
    if (!visitor) {
      if (this.#visitors.size >= mostVisitors) this.#forget(now);
      visitor = { open: 0, counted: 0, refusedUntil: 0, lastSeen: now };
      this.#visitors.set(key, visitor);
    }
    const windowInMs = allowance(this.#services, 'page').seconds * 1000;
    if (now - visitor.lastSeen > windowInMs) visitor.counted = 0;
    visitor.lastSeen = now;
    return visitor;
  }

  #forget(now: number): void {
    for (const [key, visitor] of this.#visitors) {
      if (visitor.open === 0 && visitor.refusedUntil <= now && now - visitor.lastSeen > 60_000) {
        this.#visitors.delete(key);
      }
    }
  }
}

function isSearch(pathname: string, search: string): boolean {
  const path = plainPath(pathname);
  return path === '/api/suggest' || (path === '/deals' && hasText(search, ['search']));
}

function isPriceCheck(pathname: string, search: string): boolean {
  return plainPath(pathname) === '/check' && hasText(search, ['url', 'text', 'title']);
}

function plainPath(pathname: string): string {
  return pathname
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/\/$/, '');
}

function hasText(search: string, names: readonly string[]): boolean {
  const parameters = new URLSearchParams(search);
  return names.some((name) => (parameters.get(name) ?? '').trim() !== '');
}
