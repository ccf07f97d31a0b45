import { hash, randomBytes } from 'node:crypto';
import { addressKey } from '#app/platform/address-key.ts';

const millisecondsCounted = 30 * 60_000;
const millisecondsSalted = 24 * 60 * 60_000;
/** deals; no one follows as many in half an hour, so more clicks come from a bot */
export const mostDealsOfOne = 60;
const mostVisitors = 50_000;

/**
 * Remembers for half an hour who followed which deal, so that repeated clicks count once. Visitors
 * are distinguished by a hash of IP address and browser, with a salt that changes daily. The data
 * stays in this process's memory.
 */
export class RecentVisits {
  /** The deals that each visitor followed, sorted by the visitor's last click. */
  #visitors = new Map<string, { at: number; deals: Map<number, number> }>();
  #salt = randomBytes(16);
  #saltedAt = -Infinity;

  /** Returns whether to count this click. Repeated clicks are ignored for half an hour. */
  isNew({ address, userAgent }: { address: string; userAgent: string }, dealId: number, at: Date) {
    const now = at.getTime();
    this.#forget(now);
    const words = `${this.#salt.toString('hex')} ${addressKey(address)} ${userAgent}`;
    const visitor = hash('sha256', words);
    const deals = this.#visitors.get(visitor)?.deals ?? new Map<number, number>();
    for (const [id, followedAt] of deals) {
      if (now - followedAt >= millisecondsCounted) deals.delete(id);
    }
    if (deals.has(dealId) || deals.size >= mostDealsOfOne) return false;
    deals.set(dealId, now);
    this.#visitors.delete(visitor);
    this.#visitors.set(visitor, { at: now, deals });
    return true;
  }

  #forget(now: number): void {
    if (now - this.#saltedAt >= millisecondsSalted) {
      this.#visitors.clear();
      this.#salt = randomBytes(16);
      this.#saltedAt = now;
    }
    for (const [visitor, { at }] of this.#visitors) {
      if (now - at < millisecondsCounted && this.#visitors.size < mostVisitors) return;
      this.#visitors.delete(visitor);
    }
  }
}
