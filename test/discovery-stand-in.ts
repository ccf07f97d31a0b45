import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Called before the response. */
  before?(): Promise<unknown>;
}

/** A local search engine and WebSub hub that stores requests and responds as the test specifies. */
export async function startDiscoveryStandIn() {
  const received: { path: string; type: string; body: string }[] = [];
  const answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({
      path: request.url ?? '',
      type: request.headers['content-type'] ?? '',
      body,
    });
    const answer = answers.shift() ?? { status: 202 };
    await answer.before?.();
    response.writeHead(answer.status, answer.headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    answers,
    indexNow: `${origin}/indexnow`,
    hub: `${origin}/hub`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
