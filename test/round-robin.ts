import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface RoundRobin {
  port: number;
  /** Local ports, used in turn. The list may change while the load balancer runs. */
  targets: number[];
  close(): Promise<void>;
}

/** A local load balancer that passes each connection to the next target. */
export async function startRoundRobin(targets: number[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  const balancer: RoundRobin = { port: 0, targets, close };
  let turn = 0;
  const server = createServer((visitor) => {
    const target = connect(balancer.targets[turn++ % balancer.targets.length] ?? 0, '127.0.0.1');
    for (const [one, other] of [
      [visitor, target],
      [target, visitor],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  balancer.port = (server.address() as AddressInfo).port;
  return balancer;

  async function close() {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
}
