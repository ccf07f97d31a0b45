import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { cachedPages } from '#app/cached-pages.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { type MediaStore, openFolderMedia } from '#database/media-store.ts';
import type { Gate } from '#server/gate.ts';
import { createSiteServer, type SiteServerOptions } from '#server/http-server.ts';
import { PageCache } from '#server/page-cache.ts';
import type { Metrics } from '#server/metrics.ts';
import type { SiteApp } from '#server/site-app.ts';
import { asStale, asUncacheable, type StoredAnswer } from '#server/stored-answer.ts';
import type { Workload } from '#server/workload.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface HttpSite {
  port: number;
  cache: PageCache<StoredAnswer>;
  lines: Record<string, unknown>[];
  /** Sends the path exactly as given. */
  send(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
  ): Promise<Answer>;
  /** Sends bytes and returns the whole response. */
  sendRaw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the real server with the test's own pages, on a free port. */
export async function startHttpSite(
  app: SiteApp,
  options: {
    env?: Record<string, string>;
    db?: Db;
    files?: SiteServerOptions['files'];
    fixedScripts?: readonly string[];
    cache?: PageCache<StoredAnswer>;
    gate?: (services: AppServices) => Promise<Gate>;
    workload?: Workload;
    metrics?: Metrics;
    times?: SiteServerOptions['times'];
    media?: MediaStore;
  } = {},
): Promise<HttpSite> {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test', ...options.env });
  const marks = { markStale: asStale, markUncacheable: asUncacheable };
  const cache = options.cache ?? new PageCache({ maxBytes: 10_000_000, ...marks });
  const services: AppServices = { db: options.db as Db, env, log, now: () => new Date() };
  const gate = await options.gate?.(services);
  const files = options.files ?? new Map();
  const { workload, times, metrics = null, fixedScripts = [] } = options;
  const given = { ...(gate && { gate }), ...(workload && { workload }), ...(times && { times }) };
  const media = openFolderMedia(`${env.dataDir}/media`);
  const withoutDatabase = { media, otherBuilds: { find: async () => null } };
  const more = {
    ...given,
    metrics,
    fixedScripts,
    ...(!options.db && withoutDatabase),
    ...(options.media && { media: options.media }),
  };
  const server = createSiteServer({ services, app, files, cache, cachedPages, ...more });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cache,
    lines,
    async send(path, { method = 'GET', headers = {}, body } = {}) {
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host: 'deals.test', ...headers },
        agent: false,
      });
      request.on('error', () => {}); // the server may close the connection early
      request.end(body);
      const [response] = await once(request, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const whole = Buffer.concat(chunks);
      const { statusCode, headers: answered } = response;
      return { status: statusCode, headers: answered, body: whole, text: whole.toString() };
    },
    async sendRaw(bytes) {
      const socket = connectSocket(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(bytes);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      await once(socket, 'close');
      return text;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
