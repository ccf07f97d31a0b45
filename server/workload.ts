import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Turned away, because the site has more to do than it can. Nothing was done. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

export interface WorkloadLimits {
  /** Above this mean delay of the event loop pages are turned away; 0: never. */
  mostDelayMs: number;
  /** Pages that are made at the same time. */
  mostAtOnce?: number;
  /** Pages that wait for their turn. */
  mostWaiting?: number;
  /** How long one waits at most. */
  patienceMs?: number;
}

const measuredEveryMs = 500;
const resolutionMs = 20;

/**
 * How much the process has to do (R48). Pages are made a bounded number at a time, a bounded number waits, and while
 * the event loop lags none is begun: whoever comes then hears so at once, instead of making everybody wait. What lies
 * finished in memory, kept pages and files, never asks here.
 */
export class Workload {
  /** Since it was last asked for. */
  #turnedAway = 0;
  #delayMs = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #limits: Required<WorkloadLimits>;

  constructor(limits: WorkloadLimits) {
    this.#limits = { mostAtOnce: 64, mostWaiting: 256, patienceMs: 5000, ...limits };
  }

  /** One slow moment is no overload: a measurement counts half, what was before the other half. */
  note(measuredMs: number): void {
    this.#delayMs = (this.#delayMs + measuredMs) / 2;
  }

  /** True while nothing more can be taken on; whoever asks is counted. */
  refuses(): boolean {
    const { mostDelayMs, mostAtOnce, mostWaiting } = this.#limits;
    const lags = mostDelayMs > 0 && this.#delayMs > mostDelayMs;
    const isFull = this.#running >= mostAtOnce && this.#waiting.length >= mostWaiting;
    if (lags || isFull) this.#turnedAway += 1;
    return lags || isFull;
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
  delays.enable();
  const timer = setInterval(() => {
    if (delays.count > 0) workload.note(Math.max(0, delays.mean / 1e6 - resolutionMs));
    delays.reset();
    const count = workload.takeTurnedAway();
    if (count > 0) tellTurnedAway(count);
  }, measuredEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
