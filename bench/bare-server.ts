import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * A minimal node:http server. Usage: `node bench/bare-server.ts <port> <body file> <json of the
 * headers>`.
 */
const [port, file = '', headers = '{}'] = process.argv.slice(2);
const body = readFileSync(file);
const head: Record<string, string> = JSON.parse(headers);
createServer((_, response) => response.writeHead(200, head).end(body)).listen(
  Number(port),
  '127.0.0.1',
);
