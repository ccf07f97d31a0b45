import { createHash } from 'node:crypto';
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2';
import { FeedError } from '../formats/feed-error.ts';
import {
  answerWithinMs,
  asFeedError,
  type FileServer,
  type FileServerOptions,
  locateFileServer,
  type RemoteFile,
} from './file-server.server.ts';

/** Opens a file over SFTP. The server's key must be that of the first connection. */
export async function openBySftp(
  location: string,
  options: FileServerOptions,
): Promise<RemoteFile> {
  const server = await locateFileServer(location, options);
  // The package is optional. Only its JavaScript part is used.
  const ssh = await import('ssh2').catch((error: unknown) => {
    throw new FeedError('SFTP is not installed on this server', { cause: error });
  });
  const client = new ssh.default.Client();
  const stop = () => client.destroy();
  options.signal?.addEventListener('abort', stop, { once: true });
  const close = () => {
    options.signal?.removeEventListener('abort', stop);
    client.destroy();
  };
  // An error after connecting ends the stream. Without a listener, it would end the process.
  client.on('error', () => {});
  try {
    const hostKey = await connect(client, server, options);
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error ? reject(error) : resolve(opened)));
    }).catch((error: unknown) => {
      throw asFeedError(error, `${server.host} offers no SFTP`);
    });
    const { size, mtime } = await new Promise<{ size: number; mtime: number }>(
      (resolve, reject) => {
        sftp.stat(server.path, (error, found) => (error ? reject(error) : resolve(found)));
      },
    ).catch((error: unknown) => {
      throw asFeedError(error, `the server has no file ${server.path}`);
    });
    const isGone = new AbortController();
    client.once('close', () => isGone.abort());
    const start = () => readAhead(sftp, server.path, size, isGone.signal);
    return { size, mark: `${size} ${mtime}`, hostKey, start, close };
  } catch (error) {
    close();
    throw asFeedError(error, `${server.host} cannot be reached by SFTP`);
  }
}

const readBytes = 32 * 1024;
/**
 * The number of parallel reads. One block at a time would yield about a megabyte a second over a
 * slow connection.
 */
const readsAtOnce = 32;

/** Reads the file in order, with several parallel requests. */
async function* readAhead(
  sftp: SFTPWrapper,
  path: string,
  size: number,
  gone: AbortSignal,
): AsyncGenerator<Buffer> {
  const broken = (cause?: unknown) =>
    new FeedError('the connection was lost in the middle of the file', { cause });
  const lost = new Promise<never>((_resolve, reject) => {
    gone.addEventListener('abort', () => reject(broken()), { once: true });
  });
  lost.catch(() => {});
  const ask = <Value>(call: (done: (error: unknown, value: Value) => void) => void) => {
    const answer = new Promise<Value>((resolve, reject) => {
      call((error, value) => (error ? reject(broken(error)) : resolve(value)));
    });
    const first = Promise.race([answer, lost]);
    first.catch(() => {});
    return first;
  };
  const handle = await ask<Buffer>((done) => sftp.open(path, 'r', done));
  const readAt = (from: number) =>
    ask<Buffer>((done) => {
      const length = Math.min(readBytes, size - from);
      sftp.read(handle, Buffer.alloc(length), 0, length, from, (error, count, bytes) =>
        done(error, bytes?.subarray(0, count)),
      );
    });
  const waiting: Promise<Buffer>[] = [];
  let asked = 0;
  for (let done = 0; done < size;) {
    for (; asked < size && waiting.length < readsAtOnce; asked += readBytes) {
      waiting.push(readAt(asked));
    }
    const chunk = await waiting.shift();
    const whole = Math.min(readBytes, size - done);
    if (!chunk || chunk.length === 0) throw broken();
    yield chunk;
    done += chunk.length;
    // A server may return fewer bytes than requested.
    for (let got = chunk.length; got < whole;) {
      const rest = await readAt(done);
      if (rest.length === 0) throw broken();
      const part = rest.subarray(0, whole - got);
      yield part;
      got += part.length;
      done += part.length;
    }
  }
}

/** Connects, and returns the fingerprint of the server's key. */
async function connect(
  client: Client,
  { host, address, port }: FileServer,
  { signIn, hostKey: pinned }: FileServerOptions,
): Promise<string> {
  let seen = '';
  const config: ConnectConfig = {
    host: address,
    port,
    username: signIn?.user ?? '',
    readyTimeout: answerWithinMs,
    keepaliveInterval: answerWithinMs,
    ...(signIn?.kind === 'private_key' && { privateKey: signIn.secret }),
    ...(signIn?.kind === 'password' && { password: signIn.secret }),
    hostVerifier: (key: Buffer) => {
      seen = fingerprintOf(key);
      return pinned === null || pinned === seen;
    },
  };
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).once('error', reject);
    client.connect(config);
  }).catch((error: unknown) => {
    throw asFeedError(error, explain(error, { host, seen, pinned }));
  });
  return seen;
}

/** Returns the fingerprint in the format of `ssh-keygen -l`. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
}

function explain(
  error: unknown,
  { host, seen, pinned }: { host: string; seen: string; pinned: string | null },
): string {
  if (pinned !== null && seen !== '' && seen !== pinned) {
    return `the key of ${host} has changed from ${pinned} to ${seen}; if its operator confirms the new one, choose “Forget the server’s key” at the source`;
  }
  const words = error instanceof Error ? error.message : '';
  const level = error instanceof Error && 'level' in error ? error.level : null;
  if (/cannot parse privatekey/i.test(words)) {
    return 'the private key cannot be read, or it has a passphrase';
  }
  if (level === 'client-authentication') return `${host} refused the user name, password or key`;
  return `${host} cannot be reached by SFTP`;
}
