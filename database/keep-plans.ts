import { randomUUID } from 'node:crypto';
import { errorCode } from '#database/error-code.ts';

/**
 * The prefix of statements that run often and find their rows by key, so that one plan suits all
 * values.
 */
const mark = '/* often */';

/** Statement names by SQL text. There are few, because the texts are literals in the source. */
const names = new Map<string, string>();

type Query = (...given: unknown[]) => unknown;

/**
 * Names marked statements, so that PostgreSQL parses and plans them once per connection. Behind a
 * pooler, no statement is named, because the next execution may use a connection that has not
 * prepared it.
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

/**
 * Returns whether a migration by another process changed the result, or the connection discarded
 * the statement.
 */
function isForgotten(error: unknown): boolean {
  return ['0A000', '26000'].includes(errorCode(error));
}
