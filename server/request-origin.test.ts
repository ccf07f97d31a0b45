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

/** Returns a request with the properties that these rules read. */
const from = (peer: string | undefined, headers: Record<string, string> = {}): IncomingMessage =>
  ({ socket: { remoteAddress: peer }, headers }) as unknown as IncomingMessage;

describe('R20: a site’s hosts', () => {
  const allowed = ['deals.test', 'localhost', '[::1]', 'deals.test:8443'];

  test.each(['deals.test', 'DEALS.test', 'deals.test:80', 'localhost:3000', '[::1]', '[::1]:3000'])(
    'R20: accepts the site’s host %s',
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
  ])('R20: rejects the unknown host %s', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(false);
  });

  test('R20: accepts only the configured hosts, whichever host is requested', () => {
    fc.assert(
      fc.property(fc.string(), (host) => {
        const name = host.toLowerCase().replace(/:\d+$/, '');
        expect(isAllowedHost(host, ['deals.test'])).toBe(name === 'deals.test');
      }),
    );
  });

  test('R20: builds the visible origin from the site’s scheme and the requested host', () => {
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

  test('R14: accepts a write request from our own page', () => {
    expect(refusal({ ...form, 'sec-fetch-site': 'same-origin' })).toBeNull();
    expect(refusal({ ...form, origin: 'https://deals.test' })).toBeNull();
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['no page (a typed address)', { 'sec-fetch-site': 'none' }],
    [
      'a browser that reports cross-site with our origin',
      {
        'sec-fetch-site': 'cross-site',
        origin: 'https://deals.test',
      },
    ],
    ['another origin', { origin: 'https://evil.test' }],
    ['our host by another scheme', { origin: 'http://deals.test' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an unknown origin', {}],
  ])('R14: rejects a write request from %s', (_who, headers) => {
    expect(refusal({ ...form, ...headers })).toBe(403);
  });

  test.each(['/unsubscribe/one-click', '/stop-mails/one-click'])(
    'R14: accepts a write request from an email client only at %s',
    (path) => {
      expect(refusal(form, path)).toBeNull();
      expect(refusal({ ...form, origin: 'https://mail.test' }, path)).toBeNull();
      expect(refusal(form, `${path}/more`)).toBe(403);
      expect(refusal(form, path.toUpperCase())).toBe(403);
    },
  );

  test('R14: accepts a policy report, even without an origin', () => {
    const report = { 'content-type': 'application/csp-report', 'content-length': '5' };
    const at = '/api/policy-reports';
    expect(refusal(report, at)).toBeNull();
    expect(refusal({ ...report, 'content-type': 'application/reports+json' }, at)).toBeNull();
    expect(refusal({ ...report, 'sec-fetch-site': 'same-origin' }, at)).toBeNull();
    expect(refusal({ ...report, origin: 'https://evil.test' }, at)).toBe(403);
    expect(refusal({ ...report, 'sec-fetch-site': 'cross-site' }, at)).toBe(403);
    expect(refusal(report, `${at}/more`)).toBe(403);
    expect(refusal(report)).toBe(403);
    // Another site's form cannot send these types, and this page accepts no others.
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      expect(refusal({ ...report, 'content-type': type }, at)).toBe(415);
    }
    const ours = { ...report, 'sec-fetch-site': 'same-origin' };
    expect(refusal(ours)).toBe(415);
    expect(refusal({ ...ours, 'content-encoding': 'gzip' }, at)).toBe(415);
  });

  test('R14: accepts a request from an AI assistant, but not from another site’s page', () => {
    const message = { 'content-type': 'application/json', 'content-length': '5' };
    expect(refusal(message, '/mcp')).toBeNull();
    expect(refusal({ ...message, 'sec-fetch-site': 'same-origin' }, '/mcp')).toBeNull();
    for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:9']) {
      expect(refusal({ ...message, origin }, '/mcp')).toBe(403);
    }
    expect(refusal({ ...message, 'sec-fetch-site': 'cross-site' }, '/mcp')).toBe(403);
    // Another site's form cannot send this type.
    const plain = { ...message, 'content-type': 'text/plain' };
    expect(refusal(plain, '/mcp')).toBe(403);
    expect(refusal({ ...plain, 'sec-fetch-site': 'same-origin' }, '/mcp')).toBe(415);
    expect(refusal(message, '/mcp/more')).toBe(403);
  });

  test('R14: accepts a mail provider’s request, whose signature is verified later, but not one from another site’s page', () => {
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
  ])('R14: responds to a body of type "%s" with %s', (type, status) => {
    expect(refusal({ ...form, 'sec-fetch-site': 'same-origin', 'content-type': type })).toBe(
      status,
    );
  });

  test('R14: rejects a body without a type, and accepts a request without a body', () => {
    const ours = { 'sec-fetch-site': 'same-origin' };
    expect(refusal(ours)).toBeNull();
    expect(refusal({ ...ours, 'content-length': '0' })).toBeNull();
    expect(refusal({ ...ours, 'content-length': '1' })).toBe(415);
    expect(refusal({ ...ours, 'transfer-encoding': 'chunked' })).toBe(415);
  });

  test('R14: rejects a compressed body, because its decompressed size is not limited', () => {
    const packed = { ...form, 'sec-fetch-site': 'same-origin', 'content-encoding': 'gzip' };
    expect(refusal(packed)).toBe(415);
  });

  test('R14: never accepts a write request from another origin, whatever else it contains', () => {
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

test('accepts only known methods, and treats only reads as safe', () => {
  expect([...safeMethods]).toEqual(['GET', 'HEAD']);
  for (const method of safeMethods) expect(knownMethods.has(method)).toBe(true);
  for (const method of ['TRACE', 'CONNECT', 'OPTIONS', 'get', '']) {
    expect(knownMethods.has(method)).toBe(false);
  }
});

describe('P15: a visitor’s IP address', () => {
  const behindNobody = visitorAddress([]);
  const behindProxies = visitorAddress(['10.0.0.0/8', '2001:db8:1::/48']);
  const forwarded = (list: string) => ({ 'x-forwarded-for': list });

  test('P15: uses the peer’s IP address and ignores all headers if no proxy is trusted', () => {
    expect(behindNobody(from('203.0.113.9', forwarded('1.2.3.4')))).toEqual({
      address: '203.0.113.9',
      isKnown: true,
    });
    expect(behindProxies(from('203.0.113.9', forwarded('1.2.3.4'))).address).toBe('203.0.113.9');
  });

  test('P15: uses the rightmost untrusted IP address that a trusted proxy reports', () => {
    const asked = (list: string) => behindProxies(from('10.0.0.1', forwarded(list)));
    expect(asked('203.0.113.9')).toEqual({ address: '203.0.113.9', isKnown: true });
    expect(asked('1.1.1.1, 203.0.113.9').address).toBe('203.0.113.9');
    expect(asked('1.1.1.1, 203.0.113.9, 10.0.0.7').address).toBe('203.0.113.9');
    expect(asked('203.0.113.9, 2001:db8:1::5').address).toBe('203.0.113.9');
  });

  test('P15: returns no IP address if the proxy sends none or a malformed one', () => {
    for (const headers of [{}, forwarded(''), forwarded('unknown'), forwarded('203.0.113.9, x')]) {
      expect(behindProxies(from('10.0.0.1', headers))).toEqual({
        address: '10.0.0.1',
        isKnown: false,
      });
    }
  });

  test('P15: normalizes an IP address: IPv4 in IPv6 becomes IPv4', () => {
    expect(behindNobody(from('::ffff:203.0.113.9')).address).toBe('203.0.113.9');
    expect(behindProxies(from('::ffff:10.0.0.1', forwarded('::ffff:203.0.113.9'))).address).toBe(
      '203.0.113.9',
    );
  });

  test('P15: returns no IP address for a closed socket', () => {
    expect(behindNobody(from(undefined))).toEqual({ address: '', isKnown: false });
  });

  test('P15: ignores entries left of an untrusted IP address, so that visitors cannot choose theirs', () => {
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
  ])('recognizes a local request from %s to %s', (peer, host) => {
    expect(isLocalRequest(from(peer, { host }))).toBe(true);
  });

  test.each([
    ['a stranger', '203.0.113.9', { host: 'localhost' }],
    ['a neighbour in the network', '192.168.1.2', { host: 'localhost' }],
    ['a proxy that asks for the public host', '127.0.0.1', { host: 'deals.test' }],
    ['a proxy with X-Forwarded-For', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '::1' }],
    ['a proxy with Forwarded', '::1', { host: 'localhost', forwarded: 'for=1.2.3.4' }],
    ['a request without a host', '127.0.0.1', {}],
    ['a request whose socket is closed', undefined, { host: 'localhost' }],
  ])('does not treat a request like %s as local', (_who, peer, headers) => {
    expect(isLocalRequest(from(peer, headers as Record<string, string>))).toBe(false);
  });
});

describe('a load balancer’s own requests', () => {
  const isBalancer = balancerRequest({
    readyFrom: ['10.0.0.5', '10.1.0.0/16', 'fd00::/8'],
    allowedHosts: ['deals.test', 'localhost', '127.0.0.1', '[::1]'],
  });

  test.each([
    ['10.0.0.5', '10.0.0.7:3000'],
    ['::ffff:10.1.2.3', 'localhost'],
    ['fd00::5', '[fd00::7]:3000'],
  ])('recognizes a load balancer’s own request from %s to %s', (peer, host) => {
    expect(isBalancer(from(peer, { host }))).toBe(true);
    expect(isBalancer(from(peer))).toBe(true);
  });

  test.each([
    ['another server', '10.0.0.6', { host: '10.0.0.7' }],
    ['a visitor of the public host', '10.0.0.5', { host: 'DEALS.test:443' }],
    [
      'a visitor in X-Forwarded-For',
      '10.0.0.5',
      { host: '10.0.0.7', 'x-forwarded-for': '10.0.0.5' },
    ],
    ['a visitor in Forwarded', '10.0.0.5', { forwarded: 'for=10.0.0.5' }],
    ['a request whose socket is closed', undefined, { host: '10.0.0.7' }],
  ])('does not treat a request like %s as a load balancer’s own', (_who, peer, headers) => {
    expect(isBalancer(from(peer, headers as Record<string, string>))).toBe(false);
  });
});
