import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const lateRequestsInMs = 200;

/**
 * Closes the server. The server keeps serving until `drained`, when load balancers know about the
 * stop. Then it accepts no new connections, and finishes responses that are in progress or in
 * transit on keep-alive connections, cutting off those longer than `seconds`. From the beginning
 * each response is the last of its connection, so that a balancer that passes connections on
 * releases its visitors.
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
      // A connection that becomes idle from now on would otherwise be kept for the visitor's next
      // request.
      sweep = setInterval(() => server.closeIdleConnections(), 50);
    },
    Math.min(lateRequestsInMs, seconds * 1000),
  );
  let sweep: NodeJS.Timeout | undefined;
  const cut = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  for (const timer of [late, sweep, cut]) clearTimeout(timer);
}
