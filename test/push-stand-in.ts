import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A browser that receives push messages: its keys, and its secret. */
export interface PushReceiver {
  keys: { p256dh: string; auth: string };
  privateKey: Buffer;
}

export function pushReceiver(): PushReceiver {
  const own = createECDH('prime256v1');
  own.generateKeys();
  return {
    keys: {
      p256dh: own.getPublicKey().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
    privateKey: own.getPrivateKey(),
  };
}

/** Decrypts a message as a browser does (RFC 8291), without using the code that encrypts. */
export function openPush(body: Buffer, receiver: PushReceiver): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const own = createECDH('prime256v1');
  own.setPrivateKey(receiver.privateKey);
  const derive = (secret: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, length));
  const material = derive(
    own.computeSecret(sender),
    Buffer.from(receiver.keys.auth, 'base64url'),
    Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]),
    32,
  );
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A local push service that stores the messages and responds as the test specifies. */
export async function startPushStandIn() {
  const received: ReceivedPush[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body: Buffer.concat(parts) });
      const answer = answers.shift() ?? { status: 201 };
      response.writeHead(answer.status, answer.headers).end('as you wish');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** The receiver's next responses. After these, the receiver responds with 201. */
    answers,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
