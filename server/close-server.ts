import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const lateRequestsInMs = 200;

/**
 * Closes the server gracefully. Serves as usual until `drained`, when load balancers have noticed
 * the stop. Then accepts no more connections, and finishes requests that are in progress or in
 * transit on keep-alive connections. Cuts off requests longer than `seconds`. From the start, each
 * response closes its connection, so that balancers that reuse connections go elsewhere.
 */
export async function closeServer(
  server: Server,
  seconds: number,
  drained?: Promise<void>,
): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  await drained;
  // `server.close()` would close connections whose next request is in transit.
  NetServer.prototype.close.call(server);
  const late = setTimeout(
    () => {
      server.closeIdleConnections();
      // Closes connections that become idle later, instead of keeping them for another request.
      sweep = setInterval(() => server.closeIdleConnections(), 50);
    },
    Math.min(lateRequestsInMs, seconds * 1000),
  );
  let sweep: NodeJS.Timeout | undefined;
  const cut = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  for (const timer of [late, sweep, cut]) clearTimeout(timer);
}
