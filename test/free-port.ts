import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Our ports are below the range that Linux assigns automatically (32768 to 60999), so that the two
 * never collide.
 */
const least = 20_000;
const most = 32_000;
/** Each process starts at a different port, so that collisions are rare. */
let latest = least + ((process.pid * 61) % (most - least));

/**
 * Returns a free local port, a different one for each call. The port is reserved until this process
 * ends, even before and between listeners.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    latest = latest < most ? latest + 1 : least;
    const port = latest; // Other tests may request a port in the meantime.
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Binds the UDP port with the same number as a lock. Nothing here uses UDP, and only one process
 * can bind a port.
 */
async function reserve(port: number): Promise<boolean> {
  const holder = createSocket('udp4').unref();
  try {
    holder.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(holder, 'listening');
    return true;
  } catch {
    holder.close();
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
