import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as ask,
  type ServerResponse,
} from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { connect, createServer as createLine, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
// A public key pair for localhost, which protects nothing.
import knownKeys from 'smtp-server/lib/tls-options.js';

interface Line {
  roundTripMs: number;
  downBitsPerSecond: number;
  upBitsPerSecond: number;
}

/** A phone on a slow mobile network. */
const slowLine: Line = {
  roundTripMs: 150,
  downBitsPerSecond: 1_600_000,
  upBitsPerSecond: 750_000,
};

export const protocols = ['http/1.1', 'h2'] as const;
export type Protocol = (typeof protocols)[number];

/** The certificate for browsers that should trust the proxy. */
export const certificate = String(knownKeys().cert);

/** One response that passed through the proxy. */
interface Passed {
  path: string;
  type: string;
  /**
   * The value of `Sec-Purpose`, which states the reason for a browser's request that is not a
   * visit.
   */
  purpose: string;
}

export interface ShapedSite {
  origin: string;
  passed: Passed[];
  close(): Promise<void>;
}

/**
 * Serves a running site as if through this connection: plain HTTP/1.1, or HTTP/2 over TLS as
 * browsers require.
 */
export async function shapeSite(
  site: string,
  protocol: Protocol,
  line: Line = slowLine,
): Promise<ShapedSite> {
  const passed: Passed[] = [];
  const agent = new Agent({ keepAlive: true });
  const pass = (request: Request, response: Response) =>
    passOn(site, agent, request, response, passed);
  const front = protocol === 'h2' ? createSecureServer(knownKeys(), pass) : createServer(pass);
  const frontPort = await listen(front);
  const [up, down] = [line.upBitsPerSecond, line.downBitsPerSecond].map((rate) =>
    openWire(rate, line.roundTripMs / 2),
  );
  const sockets = new Set<Socket>();
  const shaped = createLine({ allowHalfOpen: true, noDelay: true }, (browser) => {
    const server = connect({ port: frontPort, host, allowHalfOpen: true, noDelay: true });
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on('error', () => {}); // `close` follows
    }
    browser.on('close', () => {
      server.destroy();
      for (const socket of [browser, server]) sockets.delete(socket);
    });
    void down?.(server, browser);
    // A browser sends its first request after one round trip of the handshake.
    void wait(line.roundTripMs).then(() => up?.(browser, server));
  });
  const port = await listen(shaped);
  return {
    origin: `${protocol === 'h2' ? 'https' : 'http'}://localhost:${port}`,
    passed,
    async close() {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      const closed = [shaped, front].map((server) => once(server, 'close'));
      shaped.close();
      front.close();
      await Promise.all(closed);
    },
  };
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

const packetBytes = 1_460;

/** A chunk of a connection that has not been sent yet. */
interface Piece {
  bytes: Buffer;
  to: Writable;
  whenOut(): void;
}

/**
 * Opens one direction of a connection. The direction's streams share the rate, taking turns packet
 * by packet. Every packet then takes `delayMs`. The returned function forwards one stream to its
 * end.
 */
export function openWire(bitsPerSecond: number, delayMs: number) {
  const waiting: Piece[] = [];
  const travelling: { until: number; arrive(): void }[] = [];
  let isFreeAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function run(): void {
    const now = performance.now();
    while (isFreeAt <= now) {
      const piece = waiting.shift();
      if (!piece) break;
      const { bytes, to, whenOut } = piece;
      const packet = bytes.subarray(0, packetBytes);
      isFreeAt += (packet.length * 8_000) / bitsPerSecond;
      travelling.push({ until: isFreeAt + delayMs, arrive: () => to.write(packet) });
      if (packet.length === bytes.length) whenOut();
      else waiting.push({ bytes: bytes.subarray(packet.length), to, whenOut });
    }
    while (travelling[0] && travelling[0].until <= now) travelling.shift()?.arrive();
    const next = Math.min(
      waiting.length > 0 ? isFreeAt : Infinity,
      travelling[0]?.until ?? Infinity,
    );
    clearTimeout(timer);
    if (next < Infinity) timer = setTimeout(run, next - now);
  }

  return async (from: Readable, to: Writable): Promise<void> => {
    try {
      for await (const bytes of from.iterator({ destroyOnReturn: false })) {
        if (waiting.length === 0) isFreeAt = Math.max(isFreeAt, performance.now());
        await new Promise<void>((whenOut) => {
          waiting.push({ bytes, to, whenOut });
          run();
        });
      }
      travelling.push({ until: isFreeAt + delayMs, arrive: () => to.end() });
      run();
    } catch {
      to.destroy(); // The other end aborted the connection.
    }
  };
}

function passOn(
  site: string,
  agent: Agent,
  request: Request,
  response: Response,
  passed: Passed[],
): void {
  const { method, url: path = '/', headers: given } = request;
  const own = Object.entries(given).filter(([name]) => !name.startsWith(':'));
  const headers = { ...Object.fromEntries(own), host: String(given[':authority'] ?? given.host) };
  const asked = ask(site, { agent, method, path, headers }, (answer) => {
    const type = answer.headers['content-type'] ?? '';
    passed.push({ path, type, purpose: String(given['sec-purpose'] ?? '') });
    response.statusCode = answer.statusCode ?? 502;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !ofConnection.has(name)) response.setHeader(name, value);
    }
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
}

const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const host = '127.0.0.1';

async function listen(server: ReturnType<typeof createLine>): Promise<number> {
  const port = await freePort();
  server.listen(port, host);
  await once(server, 'listening');
  return port;
}
