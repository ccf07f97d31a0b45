import { z } from 'zod';
import type { ParameterError } from '#app/platform/api-problem.ts';

/**
 * Validates a URL's parameters against an operation's schema. Unlike on pages, an invalid or
 * unknown parameter is an error, since a client whose filter is silently ignored would show the
 * wrong deals.
 */
export function readApiQuery<Query extends z.ZodObject>(
  schema: Query,
  parameters: URLSearchParams,
): { ok: true; query: z.output<Query> } | { ok: false; errors: ParameterError[] } {
  const given: Record<string, unknown> = Object.create(null);
  for (const [name, value] of parameters) {
    if (name === '_routes') continue; // The parameter is added by the router.
    if (name in given) {
      return {
        ok: false,
        errors: [{ parameter: shorten(name), detail: 'Use this parameter only once.' }],
      };
    }
    given[name] = isNumber(schema.shape[name]) && /^\d{1,10}$/.test(value) ? Number(value) : value;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, query: parsed.data };
  return { ok: false, errors: parsed.error.issues.flatMap(asErrors) };
}

function isNumber(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return isNumber(schema.unwrap());
  }
  return schema instanceof z.ZodNumber;
}

function asErrors(issue: z.core.$ZodIssue): ParameterError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      parameter: shorten(key),
      detail: 'There is no such parameter.',
    }));
  }
  return [{ parameter: String(issue.path[0] ?? ''), detail: inWords(issue) }];
}

function inWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `Must be one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_type':
      return issue.input === undefined && issue.expected === 'string'
        ? 'It is required.'
        : 'Must be a whole number.';
    case 'too_small':
      return `Must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}.`;
    case 'too_big':
      return `Must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}.`;
    default:
      return 'Has an invalid format.';
  }
}

function shorten(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
