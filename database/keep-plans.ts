import { randomUUID } from 'node:crypto';
import { errorCode } from '#database/error-code.ts';

/** How a statement begins that pages ask often and that finds its rows by their keys, so that one plan is good for all values. */
const mark = '/* often */';

/** By the texts, which stand in the source: there are few. */
const names = new Map<string, string>();

type Query = (...given: unknown[]) => unknown;

/**
 * Gives marked statements a name (decision 066), so that PostgreSQL reads and plans them once for each connection. Not for a
 * pooler, where the next statement may meet a connection that has never heard of it.
 */
export function keepPlans(query: Query): Query {
  return (...given) => {
    const [text, values] = given;
    if (typeof text !== 'string' || !text.startsWith(mark)) return query(...given);
    const asked = query({ name: names.get(text) ?? rename(text), text, values });
    if (!(asked instanceof Promise)) return asked;
    return asked.catch((error: unknown) => {
      if (!isForgotten(error)) throw error;
      rename(text);
      return query(...given);
    });
  };
}

function rename(text: string): string {
  const name = randomUUID();
  names.set(text, name);
  return name;
}

/** A migration of another process changed what it answers, or the connection was told to forget it. */
function isForgotten(error: unknown): boolean {
  return ['0A000', '26000'].includes(errorCode(error));
}
