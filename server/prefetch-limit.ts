import { addressKey } from '#app/platform/address-key.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { allowance, type LimitAnswer } from '#app/platform/rate-limit.server.ts';

const mostWindows = 20_000;

/**
 * Limits each IP address's prefetches like its page views. Prefetches are counted separately, in
 * this process only, because they must not use up the visitor's limits and the header must not
 * bypass them. `now` is in milliseconds and never decreases.
 */
export class PrefetchLimit {
  readonly #services: Pick<AppServices, 'env'>;
  readonly #now: () => number;
  /** Time windows in the order in which they end. */
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  constructor(services: Pick<AppServices, 'env'>, now: () => number = () => performance.now()) {
    this.#services = services;
    this.#now = now;
  }

  admit(address: string): LimitAnswer {
    const { points, seconds } = allowance(this.#services, 'page');
    if (points === 0) return { ok: true };
    const now = this.#now();
    this.#forgetUntil(now);
    const key = addressKey(address);
    const window = this.#windows.get(key) ?? { count: 0, endsAt: now + seconds * 1000 };
    if (window.count === 0) {
      // This many simultaneous addresses cannot be human visitors.
      if (this.#windows.size >= mostWindows) return { ok: false, retryAfterSeconds: seconds };
      this.#windows.set(key, window);
    }
    window.count += 1;
    if (window.count <= points) return { ok: true };
    return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
  }

  #forgetUntil(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) return;
      this.#windows.delete(key);
    }
  }
}
