import { once } from 'node:events';
import type { Server } from 'node:http';

/** Takes no new visitors, lets the answers under way finish, and cuts off what takes longer than `seconds`. */
export async function closeServer(server: Server, seconds: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  // A connection that falls idle from now on would otherwise be kept for the visitor's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
