import { assert, array, constantFrom, property, string, tuple } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiOperations } from './api-operations.ts';
import { readApiQuery } from './read-api-query.ts';

const schema = z.strictObject({
  page: z.int().min(1).max(500).default(1),
  sort: z.enum(['newest', 'discount']).default('newest'),
  q: z.string().min(2).max(5),
});
const read = (query: string) => readApiQuery(schema, new URLSearchParams(query));
const errorsOf = (query: string) => {
  const answer = read(query);
  return answer.ok ? null : answer.errors;
};

describe('API parameters', () => {
  test('parses API parameters with their defaults, numbers as numbers', () => {
    expect(read('q=lamp&page=7')).toEqual({
      ok: true,
      query: { page: 7, sort: 'newest', q: 'lamp' },
    });
    expect(read('q=100')).toMatchObject({ ok: true, query: { q: '100' } });
  });

  test.each([
    ['q=lamp&page=0', 'page', 'Must be at least 1.'],
    ['q=lamp&page=501', 'page', 'Must be at most 500.'],
    ['q=lamp&page=two', 'page', 'Must be a whole number.'],
    ['q=lamp&page=1.5', 'page', 'Must be a whole number.'],
    ['q=lamp&page=-1', 'page', 'Must be a whole number.'],
    ['q=lamp&page=99999999999', 'page', 'Must be a whole number.'],
    ['q=lamp&sort=oldest', 'sort', 'Must be one of newest, discount.'],
    ['', 'q', 'It is required.'],
    ['q=l', 'q', 'Must be at least 2 characters long.'],
    ['q=lampshade', 'q', 'Must be at most 5 characters long.'],
    ['q=lamp&color=red', 'color', 'There is no such parameter.'],
    ['q=lamp&q=desk', 'q', 'Use this parameter only once.'],
  ])(
    'rejects the query %s, and reports the parameter %s with a message',
    (query, parameter, detail) => {
      expect(errorsOf(query)).toEqual([{ parameter, detail }]);
    },
  );

  test('reports all invalid API parameters at once, each by name', () => {
    expect(
      errorsOf('page=0&sort=x&color=red')
        ?.map(({ parameter }) => parameter)
        .toSorted(),
    ).toEqual(['color', 'page', 'q', 'sort']);
  });

  test('shortens long parameter names in messages', () => {
    const [error] = errorsOf(`q=lamp&${'x'.repeat(500)}=1`) ?? [];
    expect(error?.parameter).toHaveLength(61);
  });

  test('ignores parameters that the router added', () => {
    expect(read('q=lamp&_routes=api').ok).toBe(true);
  });

  test('never returns a server error for an API parameter, regardless of its name and value', () => {
    const name = constantFrom('page', 'sort', 'q', 'constructor', 'toString', 'hasOwnProperty', '');
    assert(
      property(array(tuple(name, string())), (pairs) => {
        const answer = readApiQuery(schema, new URLSearchParams(pairs));
        const told = answer.ok ? ['fine'] : answer.errors.map(({ detail }) => detail);
        expect(told.length).toBeGreaterThan(0);
        expect(told).not.toContain('');
      }),
    );
  });
});

test.each(Object.values(apiOperations).map((one) => [one.id, one] as const))(
  'accepts the example of %s, and rejects an unknown parameter',
  (_id, operation) => {
    const [, query = ''] = operation.example.split('?');
    expect(readApiQuery(operation.query, new URLSearchParams(query))).toMatchObject({ ok: true });
    const wrong = new URLSearchParams(query);
    wrong.set('colour', 'red');
    expect(readApiQuery(operation.query, wrong)).toMatchObject({ ok: false });
  },
);
