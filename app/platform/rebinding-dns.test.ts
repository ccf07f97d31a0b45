import { createSocket, type Socket as DnsSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, type LookupFunction, Socket, type TcpSocketConnectOpts } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import ipaddr from 'ipaddr.js';
import type { ResolvedAddress } from './public-address.server.ts';
import { safeFetch, type SafeFetchOptions, safePost, safeStatus } from './safe-fetch.server.ts';

/** An address, or the name that an alias resolves to. */
type Answer = { address: string } | { alias: string };

/** The name server's responses by name: one for each lookup, with the last one repeated. */
let zone: Record<string, Answer[][]> = {};
let asked: string[] = [];
let dns: DnsSocket;
const resolver = new Resolver({ timeout: 20_000, tries: 1 });

let page: RequestListener;
const web = createServer((request, response) => page(request, response));
/** The addresses that were actually connected to. */
let connected: string[] = [];

beforeAll(async () => {
  dns = createSocket('udp4');
  dns.on('message', (question, { port, address }) => dns.send(reply(question), port, address));
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  resolver.setServers([`127.0.0.1:${dns.address().port}`]);
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
});
afterAll(() => {
  dns.close();
  web.closeAllConnections();
  web.close();
});

beforeEach(() => {
  zone = {};
  asked = [];
  connected = [];
  page = (_request, response) => void response.end('here');
  // Every connection goes to our own server, whatever address was looked up, so that no test
  // connects to another server.
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function divert(this: Socket, ...given) {
    const [first] = given as unknown[];
    const options = (Array.isArray(first) ? first[0] : first) as Partial<TcpSocketConnectOpts>;
    const { lookup } = options;
    if (!lookup) return Reflect.apply(connect, this, given);
    const { port } = web.address() as AddressInfo;
    return Reflect.apply(connect, this, [{ ...options, port, lookup: diverted(lookup) }]);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns a lookup that records the result and redirects to this server. */
function diverted(lookup: LookupFunction): LookupFunction {
  return (host, wanted, done) => {
    lookup(host, wanted, (error, found, family) => {
      if (error) return done(error, found, family);
      connected.push(...(Array.isArray(found) ? found.map(({ address }) => address) : [found]));
      done(null, wanted.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
    });
  };
}

/** Returns addresses of both families, like the system's own lookup. */
async function resolve(host: string): Promise<ResolvedAddress[]> {
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one, index) =>
    one.status === 'fulfilled'
      ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
}

const limits: SafeFetchOptions = { maxBytes: 1_000, timeoutMs: 60_000, resolve };
const open = { address: '93.184.216.34' };
const open6 = { address: '2606:2800:220:1::1' };
const refusal = (host: string) => `${host} is not an address of the public internet`;

/** All functions of the site that send requests to the internet. */
const ways: [string, (url: string) => Promise<unknown>][] = [
  ['a fetch', async (url) => text((await safeFetch(url, limits)).body)],
  [
    'a post that is read',
    async (url) => text((await safeFetch(url, { ...limits, body: 'a' })).body),
  ],
  ['a post', (url) => safePost(url, 'a', limits)],
  ['a check of a link', (url) => safeStatus(url, 'HEAD', limits)],
];

// Proves R29: outbound fetches
describe.each(ways)('R29: %s', (_name, ask) => {
  test('R29: connects to the checked address even if the name resolves to another one a moment later', async () => {
    zone = { 'shop.example': [[open], [{ address: '127.0.0.1' }]] };
    await ask('http://shop.example/');
    expect(connected).toEqual([open.address]);
    // The lookup happens once for each family, and never again between the check and the
    // connection.
    expect(asked.toSorted()).toEqual(['A shop.example', 'AAAA shop.example']);
    await expect(ask('http://shop.example/')).rejects.toThrow(refusal('shop.example'));
    expect(connected).toEqual([open.address]);
  });

  test.each<[string, Answer[]]>([
    ['one private address among public ones', [open, { address: '10.0.0.7' }]],
    ['a private address of the other family', [open, { address: 'fd00::1' }]],
    ['loopback as IPv4 in IPv6', [open6, { address: '::ffff:127.0.0.1' }]],
    ['the metadata service as IPv4 in IPv6', [{ address: '::ffff:169.254.169.254' }]],
    ['loopback behind the prefix of NAT64', [{ address: '64:ff9b::7f00:1' }]],
    ['loopback as 6to4', [{ address: '2002:7f00:1::1' }]],
    ['the unspecified address', [{ address: '0.0.0.0' }]],
    ['loopback under another name', [{ alias: 'other.example' }]],
    ['loopback at the end of a chain of names', [{ alias: 'cdn.example' }]],
  ])('R29: connects to nothing if the name resolves to %s', async (_what, answers) => {
    zone = {
      'shop.example': [answers],
      'cdn.example': [[{ alias: 'other.example' }]],
      'other.example': [[open, { address: '127.0.0.1' }]],
    };
    await expect(ask('http://shop.example/')).rejects.toThrow(refusal('shop.example'));
    expect(connected).toEqual([]);
  });

  test('R29: follows a chain of names whose addresses are all public', async () => {
    zone = {
      'shop.example': [[{ alias: 'cdn.example' }]],
      'cdn.example': [[{ alias: 'edge.example' }]],
      'edge.example': [[open, open6]],
    };
    await ask('http://shop.example/');
    expect(connected).toEqual([open.address, open6.address]);
  });
});

describe('R29: a redirect', () => {
  const redirecting = ways.filter(([name]) => !name.includes('post'));

  test.each(redirecting)(
    'R29: checks a redirect to %s again, even if it points back to the same name',
    async (_name, ask) => {
      zone = { 'shop.example': [[open], [{ address: '127.0.0.1' }]] };
      page = (request, response) => {
        if (request.url === '/')
          response.writeHead(302, { location: '/inside', connection: 'close' }).end();
        else response.end('the inside');
      };
      await expect(ask('http://shop.example/')).rejects.toThrow(refusal('shop.example'));
      expect(connected).toEqual([open.address]);
    },
  );

  test.each(redirecting)(
    'R29: does not reach another name of this server through a redirect to %s',
    async (_name, ask) => {
      zone = { 'shop.example': [[open]], 'inside.example': [[{ address: '::1' }]] };
      page = (_request, response) =>
        void response.writeHead(302, { location: 'http://inside.example/' }).end();
      await expect(ask('http://shop.example/')).rejects.toThrow(refusal('inside.example'));
      expect(connected).toEqual([open.address]);
    },
  );
});

const types: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** Returns the response of a recursive name server (RFC 1035). */
function reply(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const type = types[question.readUInt16BE(end - 4)];
  const host = readName(question.subarray(12, end - 4));
  asked.push(`${type} ${host}`);
  const records = type ? recordsOf(host, type) : [];
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12, end), ...records]);
}

const timesAsked = (host: string, type: string) =>
  asked.filter((one) => one === `${type} ${host}`).length;

function recordsOf(host: string, type: 'A' | 'AAAA'): Buffer[] {
  const entries = zone[host] ?? [];
  const answers = entries[Math.min(Math.max(timesAsked(host, type), 1), entries.length) - 1] ?? [];
  return answers.flatMap((answer) => {
    if ('alias' in answer) {
      return [record(host, 5, writeName(answer.alias)), ...recordsOf(answer.alias, type)];
    }
    const isIpv4 = !answer.address.includes(':');
    if (isIpv4 !== (type === 'A')) return [];
    return [record(host, isIpv4 ? 1 : 28, Buffer.from(ipaddr.parse(answer.address).toByteArray()))];
  });
}

function record(host: string, type: number, value: Buffer): Buffer {
  const facts = Buffer.alloc(10);
  facts.writeUInt16BE(type, 0);
  facts.writeUInt16BE(1, 2);
  facts.writeUInt16BE(value.length, 8);
  return Buffer.concat([writeName(host), facts, value]);
}

function writeName(host: string): Buffer {
  const labels = host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function readName(bytes: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; bytes[at]; at += (bytes[at] ?? 0) + 1) {
    labels.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)).toString());
  }
  return labels.join('.').toLowerCase();
}
