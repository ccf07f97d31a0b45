import { setTimeout as sleep } from 'node:timers/promises';

/** What a visitor asks for: a page from memory, one made for them, or to keep a message for the owner. */
export const kinds = ['kept page', 'own page', 'message'] as const;
export type Kind = (typeof kinds)[number];

interface Answer {
  kind: Kind;
  startedAt: number;
  endedAt: number;
  /** A status, or what went wrong with the connection. */
  outcome: number | string;
}

/** What one kind of visitor saw between two moments. */
export interface Seen {
  asked: number;
  /** How many got no answer, or one that says that it cannot be done now. */
  failed: number;
  /** What they got, and how often. */
  outcomes: Record<string, number>;
  /** The longest time in which nobody of this kind had a good answer, in seconds. */
  silentSeconds: number;
}

export interface Traffic {
  /** Subjects of the messages that the site said it had stored. */
  acknowledged: Set<string>;
  /** `from` and `to` as `performance.now()` tells them. */
  seen(kind: Kind, from: number, to: number): Seen;
  /** Ends once each visitor has the answer that is on its way. */
  stop(): Promise<void>;
}

const mostSeconds = 600;
const patienceInMs = 20_000;
const visitors: Record<Kind, number> = { 'kept page': 2, 'own page': 3, message: 2 };
const pauseInMs: Record<Kind, number> = { 'kept page': 100, 'own page': 150, message: 300 };
const paths: Record<Kind, string[]> = {
  'kept page': ['/', '/deals', '/categories'],
  'own page': ['/', '/deals', '/categories', '/deals?page=2', '/deals?search=phone'],
  message: ['/contact'],
};

/** Visitors who ask again and again, and never twice for the same: what a message's sender hears is what counts. */
export function startTraffic(origin: string): Traffic {
  const answers: Answer[] = [];
  const acknowledged = new Set<string>();
  const over = new AbortController();
  const until = AbortSignal.any([over.signal, AbortSignal.timeout(mostSeconds * 1000)]);
  let count = 0;

  const running = kinds.flatMap((kind) =>
    Array.from({ length: visitors[kind] }, async () => {
      while (!until.aborted) {
        await ask(kind, ++count);
        await sleep(pauseInMs[kind]);
      }
    }),
  );
  return {
    acknowledged,
    seen: (kind, from, to) => summarise(answers, kind, from, to),
    async stop() {
      over.abort();
      await Promise.all(running);
    },
  };

  async function ask(kind: Kind, n: number): Promise<void> {
    const startedAt = performance.now();
    const outcome = await send(kind, n).catch(reasonOf);
    answers.push({ kind, startedAt, endedAt: performance.now(), outcome });
  }

  async function send(kind: Kind, n: number): Promise<number> {
    const subject = `message ${n}`;
    const choice = paths[kind];
    const response = await fetch(origin + choice[n % choice.length], {
      signal: AbortSignal.timeout(patienceInMs),
      // Somebody with a session has a page made for them, whoever they turn out to be.
      headers: { origin, ...(kind === 'own page' && { cookie: 'session=ended' }) },
      ...(kind === 'message' && { method: 'POST', body: messageForm(subject) }),
    });
    await response.arrayBuffer();
    if (kind === 'message' && response.status === 200) acknowledged.add(subject);
    return response.status;
  }
}

function messageForm(subject: string): URLSearchParams {
  const email = 'visitor@example.com';
  return new URLSearchParams({
    name: 'Visitor',
    email,
    subject,
    message: 'Is it in stock?',
    captcha_token: subject,
  });
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

function summarise(answers: readonly Answer[], kind: Kind, from: number, to: number): Seen {
  const asked = answers.filter(
    (one) => one.kind === kind && one.endedAt >= from && one.startedAt < to,
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
