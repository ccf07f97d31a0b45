import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '#database/error-code.ts';
import type { Shop } from './shop.ts';

/** Reads by signed-out visitors, reads by signed-in users, and writes. */
export const reads = ['kept page', 'search', 'API'] as const;
export const memberReads = ['signed in'] as const;
export const writes = ['message', 'favorite', 'price'] as const;
const kinds = [...reads, ...memberReads, ...writes];
type Kind = (typeof kinds)[number];

/** The shares of each kind among all reads, and among all writes. */
const shares: Record<Kind, number> = {
  'kept page': 0.82,
  search: 0.06,
  API: 0.06,
  'signed in': 0.06,
  message: 0.4,
  favorite: 0.4,
  price: 0.2,
};

interface Answer {
  kind: Kind;
  startedAt: number;
  endedAt: number;
  /** A status, or a connection error. */
  outcome: number | string;
}

/** The results of some kinds of requests between two times. */
interface Seen {
  asked: number;
  /** Requests without a response, or rejected temporarily. */
  failed: number;
  /** The outcomes and their counts. */
  outcomes: Record<string, number>;
  /** The longest time without a successful response to any request, in seconds. */
  silentSeconds: number;
}

export interface Acknowledged {
  /**
   * Acknowledged writes: the subjects of messages, `member deal` of favorites, and `deal price` of
   * prices.
   */
  message: Set<string>;
  favorite: Set<string>;
  price: Set<string>;
}

export interface Traffic {
  acknowledged: Acknowledged;
  /** `from` and `to` are times of `performance.now()`. */
  seen(some: readonly Kind[], from: number, to: number): Seen;
  /** Resolves once all pending responses have arrived. */
  stop(): Promise<void>;
}

const patienceInMs = 20_000;
export const cachedPages = ['/', '/deals', '/categories', '/merchants', '/blog', '/help'];
const words = ['phone', 'chair', 'lamp', 'coffee', 'shoes', 'garden', 'camera', 'monitor'];

/**
 * Starts visitors, who arrive on schedule, independently of earlier ones, and never retry. The
 * rates are reads and writes per second.
 */
export function startTraffic(
  origin: string,
  shop: Shop,
  rates: { reads: number; writes: number },
): Traffic {
  const answers: Answer[] = [];
  const acknowledged: Acknowledged = { message: new Set(), favorite: new Set(), price: new Set() };
  const under = new Set<Promise<void>>();
  const over = new AbortController();
  const send = visitorsOf(origin, shop, acknowledged);
  const isRead = new Set<Kind>([...reads, ...memberReads]);

  const coming = kinds.map(async (kind) => {
    const perSecond = shares[kind] * (isRead.has(kind) ? rates.reads : rates.writes);
    const from = performance.now();
    for (let n = 0; !over.signal.aborted; n++) {
      const asked = visit(kind, n).finally(() => under.delete(asked));
      under.add(asked);
      const next = from + ((n + 1) * 1000) / perSecond;
      await sleep(Math.max(0, next - performance.now()));
    }
  });
  return {
    acknowledged,
    seen: (some, from, to) => summarise(answers, some, from, to),
    async stop() {
      over.abort();
      await Promise.all(coming);
      await Promise.all(under);
    },
  };

  async function visit(kind: Kind, n: number): Promise<void> {
    const startedAt = performance.now();
    const outcome = await send[kind](n).catch(reasonOf);
    answers.push({ kind, startedAt, endedAt: performance.now(), outcome });
  }
}

function visitorsOf(
  origin: string,
  { members, plainDeals, watchedDeals, lowerPrice }: Shop,
  acknowledged: Acknowledged,
): Record<Kind, (n: number) => Promise<number>> {
  const ask = async (path: string, init: { cookie?: string; body?: URLSearchParams } = {}) => {
    const headers = { origin, ...(init.cookie && { cookie: init.cookie }) };
    const signal = AbortSignal.timeout(patienceInMs);
    const method = init.body ? 'POST' : 'GET';
    const response = await fetch(origin + path, { method, headers, signal, body: init.body });
    await response.arrayBuffer();
    return response.status;
  };
  const pick = <Value>(of: readonly Value[], n: number): Value => {
    const one = of[n % of.length];
    if (one === undefined) throw new Error('there is nothing to choose from');
    return one;
  };
  return {
    'kept page': (n) => ask(pick(cachedPages, n)),
    search: (n) => ask(`/deals?search=${pick(words, n)}&min_price=${1 + (n % 97)}`),
    API: (n) => ask(n % 2 ? '/api/v1/deals' : `/api/v1/deals/${pick(plainDeals, n)}`),
    'signed in': (n) => ask(n % 2 ? '/deals' : '/favorites', { cookie: pick(members, n).cookie }),
    async message(n) {
      const body = messageForm(`message ${n}`);
      const status = await ask('/contact', { body });
      if (status === 200) acknowledged.message.add(`message ${n}`);
      return status;
    },
    async favorite(n) {
      const { id, cookie } = pick(members, n);
      const deal = pick(plainDeals, Math.floor(n / members.length));
      const body = new URLSearchParams({ deal_id: String(deal), want: 'set' });
      const status = await ask('/api/favorites', { body, cookie });
      if (status === 200) acknowledged.favorite.add(`${id} ${deal}`);
      return status;
    },
    async price(n) {
      const deal = pick(watchedDeals, n);
      acknowledged.price.add(`${deal} ${await lowerPrice(deal)}`);
      return 200;
    },
  };
}

function messageForm(subject: string): URLSearchParams {
  const email = 'visitor@mail.example';
  const message = 'Is it in stock?';
  return new URLSearchParams({ name: 'Visitor', email, subject, message, captcha_token: subject });
}

/**
 * Returns the error code from Node, undici's cause or PostgreSQL, or the error's name if there is
 * none.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return errorCode(error.cause) || errorCode(error) || error.name;
}

function summarise(
  answers: readonly Answer[],
  some: readonly Kind[],
  from: number,
  to: number,
): Seen {
  const asked = answers.filter(
    (one) => some.includes(one.kind) && one.endedAt >= from && one.startedAt < to,
  );
  const isGood = ({ outcome }: Answer) => outcome === 200;
  const moments = [from, ...asked.filter(isGood).map((one) => one.endedAt), to]
    .filter((moment) => moment <= to)
    .toSorted((a, b) => a - b);
  const gaps = moments.slice(1).map((moment, n) => moment - (moments[n] ?? moment));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of asked) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    asked: asked.length,
    failed: asked.filter((one) => !isGood(one)).length,
    outcomes,
    silentSeconds: Math.max(0, ...gaps) / 1000,
  };
}
