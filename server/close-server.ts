import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

const lateRequestsInMs = 200;

/**
 * Serves on until `drained`, when balancers know of the stop. Then takes no new connections, answers what is under way
 * or in the air on kept ones, and cuts off what takes longer than `seconds` (R38). From the first moment each answer is
 * the last of its connection, so that a balancer that passes connections on lets its visitors go.
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
  // Not `server.close()`: it would hang up on connections whose next request is in the air.
  NetServer.prototype.close.call(server);
  const late = setTimeout(
    () => {
      server.closeIdleConnections();
      // A connection that falls idle from now on would otherwise be kept for the visitor's next request.
      sweep = setInterval(() => server.closeIdleConnections(), 50);
    },
    Math.min(lateRequestsInMs, seconds * 1000),
  );
  let sweep: NodeJS.Timeout | undefined;
  const cut = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  for (const timer of [late, sweep, cut]) clearTimeout(timer);
}
