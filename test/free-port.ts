import { once } from 'node:events';
import { createServer } from 'node:http';

/** Below those that Linux gives out by itself (32768 to 60999), so that whoever asks it for any port gets none of ours. */
const least = 20_000;
const most = 32_000;
/** Each process begins elsewhere: what was free a moment ago would else be another test's by the time it is used. */
let latest = least + ((process.pid * 61) % (most - least));

/** A port of this machine that nobody listens on at this moment, another at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    latest = latest < most ? latest + 1 : least;
    const port = latest; // others may ask meanwhile
    if (await isFree(port)) return port;
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
