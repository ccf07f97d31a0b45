import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Thrown if the site is overloaded, before anything was done. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

const usualLimits = {
  /** ms; pages are rejected above this mean event loop delay. 0: never */
  mostDelayMs: 0,
  /** pages rendered simultaneously */
  mostAtOnce: 64,
  /** pages waiting for a slot */
  mostWaiting: 256,
  /** ms; the longest wait */
  patienceMs: 5000,
};

const measuredEveryMs = 500;
/** ms; an idle site is not measured, because sampling alone would cost 0.25% of a core */
const measuredForMs = 10_000;
const resolutionMs = 20;

/**
 * The process's load. Limits how many pages are rendered at a time, and how many wait. While the
 * event loop lags, new requests are rejected immediately. Responses from memory are never rejected.
 */
export class Workload {
  /** Rejections since the last read. */
  #turnedAway = 0;
  #delayMs = 0;
  /** The time of the last request (`performance.now()`). */
  #askedAt = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #limits: typeof usualLimits;
  whenAsked = (): void => {};

  constructor(limits: Partial<typeof usualLimits>) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /**
   * Records a measurement. The average weighs the new measurement and all earlier ones equally, so
   * that one slow moment is not an overload.
   */
  note(measuredMs: number): void {
    this.#delayMs = (this.#delayMs + measuredMs) / 2;
  }

  /** Returns true while no more work can be accepted, and counts the rejection. */
  refuses(): boolean {
    this.#askedAt = performance.now();
    this.whenAsked();
    const { mostDelayMs, mostAtOnce, mostWaiting } = this.#limits;
    const lags = mostDelayMs > 0 && this.#delayMs > mostDelayMs;
    const isFull = this.#running >= mostAtOnce && this.#waiting.length >= mostWaiting;
    if (lags || isFull) this.#turnedAway += 1;
    return lags || isFull;
  }

  /** Whether there have been no requests recently. */
  get isIdle(): boolean {
    return performance.now() - this.#askedAt > measuredForMs;
  }

  /**
   * Whether a background render may start. Half of all slots and of the permitted delay are
   * reserved for waiting visitors.
   */
  get hasTimeToSpare(): boolean {
    const { mostDelayMs, mostAtOnce } = this.#limits;
    const isPrompt = mostDelayMs === 0 || this.#delayMs <= mostDelayMs / 2;
    return isPrompt && this.#running < mostAtOnce / 2;
  }

  /** Runs the task once a slot is free. Rejects with `Overloaded` if the wait would be too long. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.refuses()) throw new Overloaded();
    if (this.#running < this.#limits.mostAtOnce) this.#running += 1;
    else await this.#turn(); // A finished task passes its slot to the next one.
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Returns the number of rejections since the last call. */
  takeTurnedAway(): number {
    const count = this.#turnedAway;
    this.#turnedAway = 0;
    return count;
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(patience);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        this.#turnedAway += 1;
        reject(new Overloaded());
      };
      const patience = setTimeout(giveUp, this.#limits.patienceMs);
      this.#waiting.push(begin);
    });
  }
}

/** Reports the event loop delay to the workload, and logs the number of rejections. */
export function watchEventLoop(
  workload: Workload,
  tellTurnedAway: (count: number) => void,
): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  let timer: NodeJS.Timeout | null = null;
  const stop = () => {
    if (timer) clearInterval(timer);
    timer = null;
    delays.disable();
  };
  const measure = () => {
    if (delays.count > 0) workload.note(Math.max(0, delays.mean / 1e6 - resolutionMs));
    delays.reset();
    const count = workload.takeTurnedAway();
    if (count > 0) tellTurnedAway(count);
    if (!workload.isIdle) return;
    workload.note(0);
    stop();
  };
  workload.whenAsked = () => {
    if (timer) return;
    delays.enable();
    timer = setInterval(measure, measuredEveryMs).unref();
  };
  workload.whenAsked();
  return () => {
    workload.whenAsked = () => {};
    stop();
  };
}
