import { seededRandom } from '#database/seed/seeded-random.ts';

export interface QueueClass {
  /** Arrivals a second, at the busiest hour. */
  rate: number;
  /** Milliseconds of processor. */
  ms: number;
}

export interface Queue {
  /** Processors that take the next that waits, one each. */
  servers: number;
  seconds: number;
  /** Arrivals are so many times as many for so many seconds in the middle: a newsletter, a link that is passed on. */
  burst: { times: number; seconds: number };
}

export interface Waits {
  arrivals: number;
  busy: number;
  p50: number;
  p99: number;
  longest: number;
}

/**
 * First come, first served: arrivals by chance, each with the cost of its class times an exponential number of mean 1, so a page that
 * is three times as dear as usual is one in twenty. Milliseconds of waiting before a processor is free. Same seed, same answer.
 */
export function simulateQueue(classes: readonly QueueClass[], queue: Queue, seed = 1): Waits {
  const { servers, seconds, burst } = queue;
  const random = seededRandom(seed).next;
  const exponential = () => -Math.log(1 - random());
  const rate = classes.reduce((sum, one) => sum + one.rate, 0);
  const freeAt = new Float64Array(servers);
  const waits: number[] = [];
  const from = (seconds - burst.seconds) / 2;
  let worked = 0;
  for (let at = 0; ;) {
    const isBurst = at >= from && at < from + burst.seconds;
    at += exponential() / (rate * (isBurst ? burst.times : 1));
    if (at >= seconds) break;
    const ms = pick(classes, random() * rate) * exponential();
    let first = 0;
    for (let n = 1; n < servers; n++) if ((freeAt[n] ?? 0) < (freeAt[first] ?? 0)) first = n;
    const begins = Math.max(at, freeAt[first] ?? 0);
    freeAt[first] = begins + ms / 1_000;
    worked += ms / 1_000;
    waits.push((begins - at) * 1_000);
  }
  waits.sort((a, b) => a - b);
  const share = (part: number) => waits[Math.floor(part * waits.length)] ?? 0;
  return {
    arrivals: waits.length,
    busy: worked / servers / seconds,
    p50: share(0.5),
    p99: share(0.99),
    longest: waits.at(-1) ?? 0,
  };
}

function pick(classes: readonly QueueClass[], at: number): number {
  let left = at;
  for (const { rate, ms } of classes) {
    left -= rate;
    if (left < 0) return ms;
  }
  return classes.at(-1)?.ms ?? 0;
}
