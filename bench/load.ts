import http from 'node:http';
import net from 'node:net';

/**
 * Loads one address from a process of its own and prints `{ requests, seconds, failures }`:
 * node bench/load.ts <url> <connections> <seconds> <stored|rendered>
 * `stored` answers are all of one length, so a bare socket counts them by bytes and leaves the processor to the
 * server; `rendered` ones are read by node:http.
 */
const [address = '', connections = '8', seconds = '2', kind = 'stored'] = process.argv.slice(2);
const url = new URL(address);
const path = url.pathname + url.search;
const headers = {
  host: url.host,
  'accept-encoding': 'br',
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 bench',
};
const count = { requests: 0, failures: 0 };
const start = performance.now();
const end = start + Number(seconds) * 1_000;

const work = kind === 'stored' ? storedAnswers(await answerLength()) : renderedAnswers();
await Promise.all(Array.from({ length: Number(connections) }, () => work()));
console.log(JSON.stringify({ ...count, seconds: (performance.now() - start) / 1_000 }));

function answerLength(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(url.port), url.hostname);
    let seen = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk]);
      const head = seen.indexOf('\r\n\r\n');
      if (head < 0) return;
      const text = seen.subarray(0, head).toString('latin1');
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      socket.destroy();
      if (!text.startsWith('HTTP/1.1 200') || !length)
        reject(new Error(`Not a stored page:\n${text}`));
      else resolve(head + 4 + Number(length));
    });
    socket.write(requestText());
  });
}

function storedAnswers(length: number): () => Promise<void> {
  const request = requestText();
  return () =>
    new Promise((resolve) => {
      const socket = net.connect(Number(url.port), url.hostname).setNoDelay(true);
      let missing = length;
      const finish = (): void => {
        socket.destroy();
        resolve();
      };
      socket.on('error', () => {
        count.failures++;
        finish();
      });
      socket.on('data', (chunk) => {
        missing -= chunk.length;
        if (missing > 0) return;
        count.requests++;
        if (missing < 0) count.failures++;
        if (performance.now() >= end) return finish();
        missing = length;
        socket.write(request);
      });
      socket.write(request);
    });
}

function renderedAnswers(): () => Promise<void> {
  return async () => {
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
  };
}

function requestText(): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
