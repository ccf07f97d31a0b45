import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  port: number;
  /**
   * From now on nothing passes and nobody hangs up, as when a machine loses its power. `restore` lets new connections
   * through; those of before stay dead, and neither end hears of it.
   */
  silence(): void;
  restore(): void;
}

/** A line on loopback to that port. It keeps no process alive. */
export async function openLine(to: number): Promise<Line> {
  let isSilent = false;
  const links = new Set<{ near: Socket; far: Socket | null }>();
  const server = createServer((near) => {
    near.on('error', () => {});
    const far = isSilent ? null : connect(to, '127.0.0.1').on('error', () => {});
    const link = { near, far };
    links.add(link);
    if (!far) return void near.resume();
    near.pipe(far).pipe(near);
    near.on('close', () => links.has(link) && far.destroy());
    far.on('close', () => links.has(link) && near.destroy());
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
      for (const { near, far } of links) {
        for (const end of [near, far]) end?.unpipe().resume();
      }
      links.clear();
    },
    restore() {
      isSilent = false;
    },
  };
}
