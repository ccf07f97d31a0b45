import { expect, it } from 'vitest';
import { requestIds } from '#server/create-request-id.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const from = (remoteAddress: string, traceparent: string) =>
  requestIds(['10.0.0.0/8'])({
    headers: { traceparent },
    socket: { remoteAddress },
  } as unknown as Parameters<ReturnType<typeof requestIds>>[0]);

it('uses the trace id that a trusted proxy set', () => {
  expect(from('10.1.2.3', `00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
});

it.each([
  ['from a stranger', '203.0.113.9', `00-${trace}-00f067aa0ba902b7-01`],
  ['of zeros only', '10.1.2.3', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['in another format', '10.1.2.3', `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`],
  ['with a suffix', '10.1.2.3', `00-${trace}-00f067aa0ba902b7-01\nx`],
])('creates its own request id if the trace is %s', (_which, address, header) => {
  expect(from(address, header)).toMatch(/^[\w-]{12}$/);
});
