import http from 'node:http';
import net from 'node:net';

/**
 * Requests one URL repeatedly in a separate process, and prints `{ requests, seconds, failures }`.
 * Usage: `node bench/load.ts <url> <connections> <seconds> <stored|rendered>`. `stored` responses
 * declare their length. A bare socket counts their bytes, which leaves the CPU to the server.
 * node:http reads `rendered` ones.
 */
const [address = '', connections = '8', seconds = '2', kind = 'stored'] = process.argv.slice(2);
const url = new URL(address);
const path = url.pathname + url.search;
const headers = {
  host: url.host,
  'accept-encoding': 'gzip, deflate, br, zstd', // as sent by a browser
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 bench',
};
const count = { requests: 0, failures: 0 };
const start = performance.now();
const end = start + Number(seconds) * 1_000;

const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
const request = `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;

const ask = kind === 'stored' ? askStored : askRendered;
await Promise.all(Array.from({ length: Number(connections) }, ask));
console.log(JSON.stringify({ ...count, seconds: (performance.now() - start) / 1_000 }));

/** Returns the total length of head and body, from the first chunk of a response. */
function lengthOfAnswer(piece: Buffer): number {
  const head = piece.indexOf('\r\n\r\n');
  const text = piece.toString('latin1', 0, head);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith('HTTP/1.1 200') || !length) throw new Error(`Not a stored page:\n${text}`);
  return head + 4 + Number(length);
}

function askStored(): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(url.port), url.hostname).setNoDelay(true);
    let missing = 0;
    const finish = (): void => {
      socket.destroy();
      resolve();
    };
    socket.on('error', () => {
      count.failures++;
      finish();
    });
    socket.on('data', (chunk) => {
      if (missing === 0) missing = lengthOfAnswer(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      count.requests++;
      if (missing < 0) count.failures++;
      if (performance.now() >= end) return finish();
      missing = 0;
      socket.write(request);
    });
    socket.write(request);
  });
}

async function askRendered(): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < end) {
    const status = await new Promise<number>((resolve, reject) => {
      http
        .get(url, { agent, headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        })
        .on('error', reject);
    }).catch(() => 0);
    count.requests++;
    if (status !== 200) count.failures++;
  }
  agent.destroy();
}
