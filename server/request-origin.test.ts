import type { IncomingMessage } from 'node:http';
import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import {
  balancerRequest,
  isAllowedHost,
  isLocalRequest,
  knownMethods,
  refuseUnsafeRequest,
  safeMethods,
  visibleOrigin,
  visitorAddress,
} from '#server/request-origin.ts';

/** A request with the parts that these rules read. */
const from = (peer: string | undefined, headers: Record<string, string> = {}): IncomingMessage =>
  ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;

describe('R20: the hosts of a site', () => {
  const allowed = ['deals.test', 'localhost', '[::1]', 'deals.test:8443'];

  test.each(['deals.test', 'DEALS.test', 'deals.test:80', 'localhost:3000', '[::1]', '[::1]:3000'])(
    '%s is one',
    (host) => {
      expect(isAllowedHost(host, allowed)).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    'evil.test',
    'deals.test.evil.test',
    'evil-deals.test',
    'deals.test:80:80',
    'deals.test:abc',
    'deals.test@evil.test',
    ' deals.test',
    'deals.test.',
  ])('%s is not one', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(false);
  });

  test('are exactly the listed ones, whatever is requested', () => {
    fc.assert(
      fc.property(fc.string(), (host) => {
        const name = host.toLowerCase().replace(/:\d+$/, '');
        expect(isAllowedHost(host, ['deals.test'])).toBe(name === 'deals.test');
      }),
    );
  });

  test("the visible origin combines the site's scheme with the requested host", () => {
    const at = (origin: string) => readEnv({ NODE_ENV: 'test', ORIGIN: origin });
    expect(visibleOrigin('LOCALHOST:3000', at('http://deals.test'))).toBe('http://localhost:3000');
    expect(visibleOrigin('deals.test', at('https://deals.test'))).toBe('https://deals.test');
  });
});

describe('R14: a write request', () => {
  const own = ['https://deals.test'];
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '5' };
  const refusal = (headers: Record<string, string>, path = '/favorites') =>
    refuseUnsafeRequest(headers, own, path);

  test('from our own page passes', () => {
    expect(refusal({ ...form, 'sec-fetch-site': 'same-origin' })).toBeNull();
    expect(refusal({ ...form, origin: 'https://deals.test' })).toBeNull();
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    [
      'a browser that says cross-site with our origin',
      {
        'sec-fetch-site': 'cross-site',
        origin: 'https://deals.test',
      },
    ],
    ['another origin', { origin: 'https://evil.test' }],
    ['our host by another scheme', { origin: 'http://deals.test' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nobody who says who they are', {}],
  ])('from %s is refused', (_who, headers) => {
    expect(refusal({ ...form, ...headers })).toBe(403);
  });

  test.each(['/unsubscribe/one-click', '/stop-mails/one-click'])(
    'from an email client passes at %s, and only there',
    (path) => {
      expect(refusal(form, path)).toBeNull();
      expect(refusal({ ...form, origin: 'https://mail.test' }, path)).toBeNull();
      expect(refusal(form, `${path}/more`)).toBe(403);
      expect(refusal(form, path.toUpperCase())).toBe(403);
    },
  );

  test('with a policy report passes, even without an origin', () => {
    const report = { 'content-type': 'application/csp-report', 'content-length': '5' };
    const at = '/api/policy-reports';
    expect(refusal(report, at)).toBeNull();
    expect(refusal({ ...report, 'content-type': 'application/reports+json' }, at)).toBeNull();
    expect(refusal({ ...report, 'sec-fetch-site': 'same-origin' }, at)).toBeNull();
    expect(refusal({ ...report, origin: 'https://evil.test' }, at)).toBe(403);
    expect(refusal({ ...report, 'sec-fetch-site': 'cross-site' }, at)).toBe(403);
    expect(refusal(report, `${at}/more`)).toBe(403);
    expect(refusal(report)).toBe(403);
    // A form of another site cannot have these types, and no other type is accepted there.
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      expect(refusal({ ...report, 'content-type': type }, at)).toBe(415);
    }
    const ours = { ...report, 'sec-fetch-site': 'same-origin' };
    expect(refusal(ours)).toBe(415);
    expect(refusal({ ...ours, 'content-encoding': 'gzip' }, at)).toBe(415);
  });

  test('from an AI assistant passes, since it is not a browser; a page of another site does not', () => {
    const message = { 'content-type': 'application/json', 'content-length': '5' };
    expect(refusal(message, '/mcp')).toBeNull();
    expect(refusal({ ...message, 'sec-fetch-site': 'same-origin' }, '/mcp')).toBeNull();
    for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:9']) {
      expect(refusal({ ...message, origin }, '/mcp')).toBe(403);
    }
    expect(refusal({ ...message, 'sec-fetch-site': 'cross-site' }, '/mcp')).toBe(403);
    // A form of another site cannot have that type.
    const plain = { ...message, 'content-type': 'text/plain' };
    expect(refusal(plain, '/mcp')).toBe(403);
    expect(refusal({ ...plain, 'sec-fetch-site': 'same-origin' }, '/mcp')).toBe(415);
    expect(refusal(message, '/mcp/more')).toBe(403);
  });

  test('from a mail provider passes, since its signature decides; a page of another site does not', () => {
    const report = { 'content-type': 'application/json', 'content-length': '5' };
    const at = '/webhooks/mail/ses';
    expect(refusal(report, at)).toBeNull();
    expect(refusal({ ...report, 'content-type': 'text/plain; charset=UTF-8' }, at)).toBeNull();
    expect(refusal({ ...report, origin: 'https://evil.test' }, at)).toBe(403);
    expect(refusal({ ...report, 'sec-fetch-site': 'cross-site' }, at)).toBe(403);
    expect(refusal({ ...report, 'content-type': 'text/html' }, at)).toBe(415);
    expect(refusal({ ...report, 'content-encoding': 'gzip' }, at)).toBe(415);
    expect(refusal(report, `${at}/more`)).toBe(403);
    expect(refusal(report, '/webhooks/mail')).toBe(403);
  });

  test.each([
    ['multipart/form-data; boundary=x', null],
    ['Application/X-WWW-Form-Urlencoded; charset=utf-8', null],
    ['application/json', 415],
    ['text/plain', 415],
    ['application/xml', 415],
    ['', 415],
  ])('with a body of type "%s" gets %s', (type, status) => {
    expect(refusal({ ...form, 'sec-fetch-site': 'same-origin', 'content-type': type })).toBe(
      status,
    );
  });

  test('with an untyped body is refused, and passes without a body', () => {
    const ours = { 'sec-fetch-site': 'same-origin' };
    expect(refusal(ours)).toBeNull();
    expect(refusal({ ...ours, 'content-length': '0' })).toBeNull();
    expect(refusal({ ...ours, 'content-length': '1' })).toBe(415);
    expect(refusal({ ...ours, 'transfer-encoding': 'chunked' })).toBe(415);
  });

  test('with a compressed body is refused, since its decompressed size is not limited', () => {
    const packed = { ...form, 'sec-fetch-site': 'same-origin', 'content-encoding': 'gzip' };
    expect(refusal(packed)).toBe(415);
  });

  test('never passes from another origin, whatever else it contains', () => {
    const anything = fc.dictionary(
      fc.constantFrom('content-type', 'content-length', 'referer', 'x-forwarded-host', 'host'),
      fc.string(),
    );
    fc.assert(
      fc.property(anything, fc.webUrl(), fc.webPath(), (headers, origin, path) => {
        expect(refusal({ ...headers, origin }, path)).toBe(403);
      }),
    );
  });
});

test('only known methods are accepted, and only reads among them are safe', () => {
  expect([...safeMethods]).toEqual(['GET', 'HEAD']);
  for (const method of safeMethods) expect(knownMethods.has(method)).toBe(true);
  for (const method of ['TRACE', 'CONNECT', 'OPTIONS', 'get', '']) {
    expect(knownMethods.has(method)).toBe(false);
  }
});

describe('P15: the address of a visitor', () => {
  const behindNobody = visitorAddress([]);
  const behindProxies = visitorAddress(['10.0.0.0/8', '2001:db8:1::/48']);
  const forwarded = (list: string) => ({ 'x-forwarded-for': list });

  test('is the peer’s, whatever headers say, if no proxy is trusted', () => {
    expect(behindNobody(from('203.0.113.9', forwarded('1.2.3.4')))).toEqual({
      address: '203.0.113.9',
      isKnown: true,
    });
    expect(behindProxies(from('203.0.113.9', forwarded('1.2.3.4'))).address).toBe('203.0.113.9');
  });

  test('is the one a trusted proxy reports, from the right', () => {
    const asked = (list: string) => behindProxies(from('10.0.0.1', forwarded(list)));
    expect(asked('203.0.113.9')).toEqual({ address: '203.0.113.9', isKnown: true });
    expect(asked('1.1.1.1, 203.0.113.9').address).toBe('203.0.113.9');
    expect(asked('1.1.1.1, 203.0.113.9, 10.0.0.7').address).toBe('203.0.113.9');
    expect(asked('203.0.113.9, 2001:db8:1::5').address).toBe('203.0.113.9');
  });

  test('is unknown if the proxy sends nothing, or a malformed value', () => {
    for (const headers of [{}, forwarded(''), forwarded('unknown'), forwarded('203.0.113.9, x')]) {
      expect(behindProxies(from('10.0.0.1', headers))).toEqual({
        address: '10.0.0.1',
        isKnown: false,
      });
    }
  });

  test('is normalized: IPv4 in IPv6 becomes IPv4', () => {
    expect(behindNobody(from('::ffff:203.0.113.9')).address).toBe('203.0.113.9');
    expect(behindProxies(from('::ffff:10.0.0.1', forwarded('::ffff:203.0.113.9'))).address).toBe(
      '203.0.113.9',
    );
  });

  test('is unknown for a closed socket', () => {
    expect(behindNobody(from(undefined))).toEqual({ address: '', isKnown: false });
  });

  test('cannot be chosen by the visitor: entries left of an untrusted address are ignored', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4(), { maxLength: 5 }), (lies) => {
        const list = [...lies, '203.0.113.9'].join(', ');
        expect(behindProxies(from('10.0.0.1', forwarded(list))).address).toBe('203.0.113.9');
      }),
    );
  });
});

describe('a local request', () => {
  test.each([
    ['127.0.0.1', 'localhost:3000'],
    ['127.0.0.9', '127.0.0.1'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', 'LOCALHOST'],
  ])('from %s to %s is one', (peer, host) => {
    expect(isLocalRequest(from(peer, { host }))).toBe(true);
  });

  test.each([
    ['a stranger', '203.0.113.9', { host: 'localhost' }],
    ['a neighbour in the network', '192.168.1.2', { host: 'localhost' }],
    ['a proxy that asks for the public host', '127.0.0.1', { host: 'deals.test' }],
    ['a proxy that tells for whom', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '::1' }],
    [
      'a proxy that tells it in the new way',
      '::1',
      { host: 'localhost', forwarded: 'for=1.2.3.4' },
    ],
    ['one without a host', '127.0.0.1', {}],
    ['one whose socket is gone', undefined, { host: 'localhost' }],
  ])('like %s is not one', (_who, peer, headers) => {
    expect(isLocalRequest(from(peer, headers as Record<string, string>))).toBe(false);
  });
});

describe('a request of a load balancer for itself', () => {
  const isBalancer = balancerRequest({
    readyFrom: ['10.0.0.5', '10.1.0.0/16', 'fd00::/8'],
    allowedHosts: ['deals.test', 'localhost', '127.0.0.1', '[::1]'],
  });

  test.each([
    ['10.0.0.5', '10.0.0.7:3000'],
    ['::ffff:10.1.2.3', 'localhost'],
    ['fd00::5', '[fd00::7]:3000'],
  ])('from %s to %s is one', (peer, host) => {
    expect(isBalancer(from(peer, { host }))).toBe(true);
    expect(isBalancer(from(peer))).toBe(true);
  });

  test.each([
    ['another machine', '10.0.0.6', { host: '10.0.0.7' }],
    ['a visitor by the public host', '10.0.0.5', { host: 'DEALS.test:443' }],
    ['a visitor it tells of', '10.0.0.5', { host: '10.0.0.7', 'x-forwarded-for': '10.0.0.5' }],
    ['a visitor it tells of in the new way', '10.0.0.5', { forwarded: 'for=10.0.0.5' }],
    ['one whose socket is gone', undefined, { host: '10.0.0.7' }],
  ])('like %s is not one', (_who, peer, headers) => {
    expect(isBalancer(from(peer, headers as Record<string, string>))).toBe(false);
  });
});
