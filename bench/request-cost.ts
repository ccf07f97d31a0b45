import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { findBouncedMail } from '#app/platform/mail/bounce-address.server.ts';
import { readBounceMessage } from '#app/platform/mail/reports/read-bounce-message.server.ts';
import type { Db } from '#database/connect.ts';
import { oddMails } from '#bench/odd-mails.ts';
import { openShop } from '#bench/open-shop.ts';
import { type Measured, ms, table, verdictOn } from '#bench/measure.ts';
import { createSiteServer } from '#server/http-server.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { freePort } from '#test/free-port.ts';
import { routePatterns } from '#test/route-patterns.ts';

const host = 'deals.test';
const origin = `https://${host}`;
/** The limit for one request, in milliseconds of CPU time. */
const mostMs = 50;
/**
 * The number of tries. The fastest counts, since garbage collection and compilation are not due to
 * the input.
 */
const tries = 5;

interface RequestCost {
  route: string;
  /** The name of the most expensive input. */
  input: string;
  status: number;
  /** CPU time in this process: that of the server, and a little for sending. */
  ms: number;
}

interface Sent {
  input: string;
  bytes: string;
}

/**
 * Measures the cost of a stranger's most expensive request on each route, using inputs that are
 * known to be expensive for parsers: long, deeply nested, numerous, or made for backtracking
 * regular expressions. Requires the build.
 */
export async function measureRequestCost(
  serverUrl: string,
  deals: number,
  report: (line: string) => void,
): Promise<Measured> {
  const shop = await openShop(serverUrl, deals, report);
  const limits = 'page=0,search=0,search-burst=0,captcha-challenge=0,policy-report-address=0';
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: origin, RATE_LIMITS: limits });
  const log = createLog('silent');
  const services: AppServices = { db: shop.db, env, log, now: () => new Date() };
  const { close, ...site } = await loadBuiltSite(services);
  const server = createSiteServer({ ...site, services, cache: null });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { slug } = await shop.db
      .selectFrom('deals')
      .select('slug')
      .where('is_active', '=', true)
      .executeTakeFirstOrThrow();
    const costs: RequestCost[] = [];
    // These requests make V8 compile the code.
    for (let n = 0; n < 200; n++) await send(port, get(n % 2 === 0 ? '/' : '/deals'));
    for (const { pattern } of routePatterns()) {
      const path = pattern.startsWith('/deals/')
        ? `/deals/${slug}`
        : pattern.replaceAll(/:\w+|\*/g, () => '1');
      for (const method of ['GET', 'POST']) {
        const sent = await inputs(method, path, port);
        let cost = await mostExpensive(`${method} ${pattern}`, port, sent);
        // Repeats the request, since other load may be the cause.
        for (let n = 0; n < 3 && cost.ms > mostMs; n++)
          cost = await mostExpensive(cost.route, port, sent);
        report(`${cost.route}: ${ms(cost.ms)} ms, ${cost.input}`);
        costs.push(cost);
      }
    }
    costs.push(await mostExpensiveMail(shop.db));
    costs.sort((a, b) => b.ms - a.ms);
    const isMet = costs.every((one) => one.ms <= mostMs);
    const rows = costs.map((one) => [one.route, one.input, String(one.status), ms(one.ms)]);
    const verdict = `Nothing above ${mostMs} ms: ${verdictOn(isMet)}`;
    const head = ['route', 'dearest input', 'status', 'ms of processor'];
    return { results: costs, text: `${table([head, ...rows])}\n\n${verdict}`, isMet };
  } finally {
    server.closeAllConnections();
    server.close();
    await close?.();
    await shop.close();
  }
}

async function mostExpensive(
  route: string,
  port: number,
  sent: readonly Sent[],
): Promise<RequestCost> {
  let most: RequestCost = { route, input: '', status: 0, ms: 0 };
  for (const { input, bytes } of sent) {
    let [least, status] = [Infinity, 0];
    for (let n = 0; n < tries && least > Math.max(most.ms, mostMs / 5); n++) {
      await wait(1); // Lets the previous request finish first.
      const before = process.cpuUsage();
      const answer = await send(port, bytes);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
    }
    if (least > most.ms) most = { route, input, status, ms: least };
  }
  return most;
}

/** Measures the cost of the most expensive email to the bounce mailbox. */
async function mostExpensiveMail(db: Db): Promise<RequestCost> {
  let most: RequestCost = { route: 'bounce mailbox', input: '', status: 0, ms: 0 };
  for (const [input, mail] of Object.entries(oddMails)) {
    let least = Infinity;
    for (let n = 0; n < tries; n++) {
      const before = process.cpuUsage();
      const read = await readBounceMessage(Buffer.from(mail)).catch(() => null);
      await findBouncedMail(db, read?.text ?? mail);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    if (least > most.ms) most = { ...most, input, ms: least };
  }
  return most;
}

/**
 * Sends bytes and returns the response. A server that refuses early may close the connection while
 * the sender is still sending.
 */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await once(socket, 'close');
  return text;
}

const fill = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

// The limits are 2 KB for a request line, 16 KB for all headers and 128 KB for a visitor's form.
const [line, header, body] = [1900, 15_000, 128 * 1024 - 200];

const oddHeaders: Record<string, string> = {
  accept: fill('text/html;q=0.1,', header),
  'accept-encoding': fill('br;q=0.1,', header),
  'accept-language': fill('en;q=0.1,', header),
  authorization: `Bearer ${fill('a.', header)}`,
  cookie: fill('a=b;', header),
  'if-none-match': fill('"a",', header),
  range: `bytes=${fill('0-1,', header)}`,
  referer: `https://deals.test/${fill('a%20', header)}`,
  'user-agent': fill('Mozilla/5.0 (', header),
  'x-forwarded-for': fill('1.1.1.1,', header),
};

/** Inputs that are expensive to match, normalize, escape or split. */
const oddTexts: readonly string[] = [' ', ...'a @ a@ . a. < \\n %F0%9F%94%A5 ('.split(' ')];
const parameters = 'search q query page min max sort category merchant tag token returnTo'.split(
  ' ',
);

async function inputs(method: string, path: string, port: number): Promise<Sent[]> {
  if (method === 'GET') return oddReads(path);
  return oddWrites(path, fieldNames(await send(port, get(path))));
}

function oddReads(path: string): Sent[] {
  const many = Array.from({ length: 900 }, (_, n) => `x-${n}: 1`);
  const odd = Object.entries(oddHeaders).map(([name, value]) => {
    return { name, headers: [`${name}: ${value}`] };
  });
  const each = Math.floor(line / parameters.length) - 10;
  const queries = [
    ...['a&', 'a=1&', 'a[]=1&'].map((text) => fill(text, line)),
    // A single request contains all texts, and therefore includes the cost of each.
    ...oddTexts.map((text) =>
      parameters.map((name) => `${name}=${fill(encoded(text), each)}`).join('&'),
    ),
    ...oddTexts.map((text) => `search=${fill(encoded(text), line)}`),
    ...['%25', '_', '%25a_', '%25%F0%9F%94%A5', 'a%20b%20'].map((t) => `search=${fill(t, 99)}`),
    'page=500',
    'search=the&page=500',
    'search=wireless&sort=discount&min=1&max=9999&page=499',
  ];
  return [
    { input: 'nothing odd', bytes: get(path) },
    ...[...odd, { name: 'many', headers: many }].map(({ name, headers }) => {
      return { input: `header ${name}`, bytes: get(path, headers) };
    }),
    ...queries.map((query) => {
      return { input: `query ${query.slice(0, 24)}`, bytes: get(`${path}?${query}`) };
    }),
  ];
}

/** `names` are the field names of the page's own forms. */
function oddWrites(path: string, names: readonly string[]): Sent[] {
  const form = 'application/x-www-form-urlencoded';
  const parts = 'multipart/form-data; boundary=x';
  const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
  const bodies = [
    ['empty fields', form, fill('a&', body)],
    ['fields, as many as are read', form, fill('a&', 2000)],
    ['fields of many names', form, Array.from({ length: 9000 }, (_, n) => `n${n}=1`).join('&')],
    ['escapes', form, `a=${fill('%41', body)}`],
    ['broken escapes', form, `a=${fill('%', body)}`],
    ['parts', parts, `${fill(`${part}\r\n`, body)}\r\n--x--\r\n`],
    ['headers of a part', parts, `--x\r\n${fill('a: b\r\n', body)}`],
    ['dashes', parts, fill('-', body)],
    ['ends of lines', parts, `${part}${fill('\r\n', body)}`],
    ['JSON, deep', 'application/json', fill('[', body)],
    ['reports, deep', 'application/csp-report', fill('{"a":', body)],
    ['reports, many', 'application/reports+json', `[${fill('{},', body)}{}]`],
  ] as const;
  return [
    ...bodies.map(([input, type, text]) => ({ input, bytes: post(path, type, text) })),
    ...names.flatMap((name) =>
      oddTexts.map((text) => {
        const others = names.filter((other) => other !== name).map((other) => `${other}=1`);
        const field = `${name}=${fill(encoded(text), body - 1000)}`;
        const bytes = post(path, form, [...others, field].join('&'));
        return { input: `field ${name}: ${text}…`, bytes };
      }),
    ),
  ];
}

function encoded(text: string): string {
  return text.startsWith('%') ? text : encodeURIComponent(text);
}

/** Returns the field names of the page's own forms. */
function fieldNames(html: string): string[] {
  const names = [...html.matchAll(/<(?:input|textarea|select|button)\b[^>]*\bname="([^"]+)"/g)];
  return [...new Set(names.map(([, name = '']) => name))];
}

function get(target: string, headers: readonly string[] = []): string {
  return [`GET ${target} HTTP/1.1`, `host: ${host}`, ...headers, 'connection: close', '\r\n'].join(
    '\r\n',
  );
}

function post(target: string, type: string, text: string): string {
  const head = [`POST ${target} HTTP/1.1`, `host: ${host}`, `origin: ${origin}`];
  head.push(`content-type: ${type}`, `content-length: ${text.length}`, 'connection: close');
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
