import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Turned away, because the site is too busy. Nothing was done. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

const usualLimits = {
  /** Above this mean delay of the event loop pages are turned away; 0: never. */
  mostDelayMs: 0,
  /** Pages that are made at the same time. */
  mostAtOnce: 64,
  /** Pages that wait for their turn. */
  mostWaiting: 256,
  /** How long one waits at most. */
  patienceMs: 5000,
};

const measuredEveryMs = 500;
/** A site that is asked nothing is not measured: the samples alone would cost it a quarter of a percent of a core. */
const measuredForMs = 10_000;
const resolutionMs = 20;

/**
 * How busy the process is (R48). A bounded number of pages is made at a time, a bounded number waits, and while the event
 * loop lags none is begun: newcomers are refused at once. What lies finished in memory never asks here.
 */
export class Workload {
  /** Since it was last asked for. */
  #turnedAway = 0;
  #delayMs = 0;
  /** By `performance.now()`. */
  #askedAt = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #limits: typeof usualLimits;
  whenAsked = (): void => {};

  constructor(limits: Partial<typeof usualLimits>) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** One slow moment is no overload: a measurement counts half, the earlier ones the other half. */
  note(measuredMs: number): void {
    this.#delayMs = (this.#delayMs + measuredMs) / 2;
  }

  /** True while nothing more can be taken on; whoever asks is counted. */
  refuses(): boolean {
    this.#askedAt = performance.now();
    this.whenAsked();
    const { mostDelayMs, mostAtOnce, mostWaiting } = this.#limits;
    const lags = mostDelayMs > 0 && this.#delayMs > mostDelayMs;
    const isFull = this.#running >= mostAtOnce && this.#waiting.length >= mostWaiting;
    if (lags || isFull) this.#turnedAway += 1;
    return lags || isFull;
  }

  /** Nothing was asked for a while. */
  get isIdle(): boolean {
    return performance.now() - this.#askedAt > measuredForMs;
  }

  /** Whether something may be made that nobody waits for: half of all places, and of the delay, are for those who do. */
  get hasTimeToSpare(): boolean {
    const { mostDelayMs, mostAtOnce } = this.#limits;
    const isPrompt = mostDelayMs === 0 || this.#delayMs <= mostDelayMs / 2;
    return isPrompt && this.#running < mostAtOnce / 2;
  }

  /** Does it when its turn has come. Rejects with `Overloaded` when that is not to be expected. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.refuses()) throw new Overloaded();
    if (this.#running < this.#limits.mostAtOnce) this.#running += 1;
    else await this.#turn(); // whoever finishes hands their place on
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** How many were turned away since the last time. */
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

/** Tells the workload how late the event loop is, and the owner how many were turned away because of it. */
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
