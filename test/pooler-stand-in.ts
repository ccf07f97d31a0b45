import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

export interface PoolerStandIn {
  url: string;
  /** The number of transactions on each server connection. */
  carried: readonly number[];
  close(): Promise<void>;
}

interface ServerLine {
  client: pg.Client;
  stream: Socket;
  /** The client that uses the connection in the current transaction. */
  guest: Guest | null;
  rest: Buffer;
}

interface Guest {
  socket: Socket;
  line: ServerLine | null;
  waiting: Buffer[];
}

const allowed = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'DateStyle',
  'TimeZone',
]);

/**
 * A connection pooler like pgbouncer in transaction mode. Rejects startup settings unless it
 * `ignores` them. Runs each transaction on the next server connection, so that no session state
 * survives. Messages outside transactions, such as notifications, are lost.
 */
export async function startPooler(
  serverUrl: string,
  options: { lines?: number; ignores?: boolean } = {},
): Promise<PoolerStandIn> {
  const guests = new Set<Guest>();
  const carried: number[] = [];
  const lines = await Promise.all(
    Array.from({ length: options.lines ?? 3 }, (_, n) => openLine(serverUrl, n)),
  );
  let next = 0;

  async function openLine(url: string, n: number): Promise<ServerLine> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    const stream = client.connection.stream as Socket;
    stream.removeAllListeners('data'); // from now on, the connection's bytes belong to clients
    const line: ServerLine = { client, stream, guest: null, rest: Buffer.alloc(0) };
    carried[n] = 0;
    stream.on('data', (bytes) => passBack(line, bytes));
    return line;
  }

  /**
   * Returns complete messages, up to the one that reports that the server is ready and in no
   * transaction.
   */
  function passBack(line: ServerLine, bytes: Buffer): void {
    let rest = Buffer.concat([line.rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const whole = rest.subarray(0, 1 + rest.readInt32BE(1));
      rest = rest.subarray(whole.length);
      line.guest?.socket.write(whole);
      const isReady = whole[0] === 'Z'.charCodeAt(0) && whole[5] === 'I'.charCodeAt(0);
      if (!isReady || !line.guest) continue;
      line.guest.line = null;
      line.guest = null;
      serveWaiting();
    }
    line.rest = rest;
  }

  function serveWaiting(): void {
    for (const guest of guests) {
      if (guest.line || guest.waiting.length === 0) continue;
      const line = freeLine();
      if (!line) return;
      line.guest = guest;
      guest.line = line;
      line.stream.write(Buffer.concat(guest.waiting.splice(0)));
    }
  }

  /** Uses the connections in turn, so that two consecutive transactions never share one. */
  function freeLine(): ServerLine | null {
    for (let tries = 0; tries < lines.length; tries++) {
      const n = next++ % lines.length;
      const line = lines[n];
      if (!line || line.guest) continue;
      carried[n] = (carried[n] ?? 0) + 1;
      return line;
    }
    return null;
  }

  const server = createServer((socket) => {
    const guest: Guest = { socket, line: null, waiting: [] };
    let isIn = false;
    let begin = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('close', () => {
      guests.delete(guest);
      if (guest.line) guest.line.guest = null;
    });
    socket.on('data', (bytes) => {
      if (isIn) {
        if (bytes[0] === 'X'.charCodeAt(0)) return socket.end();
        if (guest.line) return void guest.line.stream.write(bytes);
        guest.waiting.push(bytes);
        return serveWaiting();
      }
      begin = Buffer.concat([begin, bytes]);
      if (begin.length < 4 || begin.length < begin.readInt32BE(0)) return;
      const words = begin.toString('utf8', 8).split('\0');
      const names = words.filter((word, n) => n % 2 === 0 && word !== '');
      const strange = names.find((name) => !allowed.has(name));
      if (strange !== undefined && !options.ignores) {
        return socket.end(refusal(`unsupported startup parameter: ${strange}`));
      }
      isIn = true;
      guests.add(guest);
      socket.write(welcome);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    carried,
    async close() {
      for (const { socket } of guests) socket.destroy();
      for (const { stream } of lines) stream.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function refusal(text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`));
}

/** The messages after sign-in: authentication complete, cancellation key, ready. */
const welcome = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
]);
