import { PassThrough } from 'node:stream';
import { Client, FTPError } from 'basic-ftp';
import ipaddr from 'ipaddr.js';
import { FeedError } from '../formats/feed-error.ts';
import {
  answerWithinMs,
  asFeedError,
  type FileServer,
  type FileServerOptions,
  implicitFtpsPort,
  locateFileServer,
  type RemoteFile,
} from './file-server.server.ts';

/** Opens a file over FTP or FTPS. FTPS requires a valid certificate. */
export async function openByFtp(location: string, options: FileServerOptions): Promise<RemoteFile> {
  const server = await locateFileServer(location, options);
  // Transfers connect to the same address, regardless of the address that the server sends.
  const client = new Client(answerWithinMs, { allowSeparateTransferHost: false });
  const stop = () => client.close();
  options.signal?.addEventListener('abort', stop, { once: true });
  const close = () => {
    options.signal?.removeEventListener('abort', stop);
    client.close();
  };
  try {
    await connect(client, server, location.startsWith('ftps:'), options);
    const size = await client.size(server.path).catch((error: unknown) => {
      if (!(error instanceof FTPError) || error.code !== 550) return null;
      throw asFeedError(error, `the server has no file ${server.path}`);
    });
    // Some servers return neither size nor time.
    const changed = await client.lastMod(server.path).catch(() => null);
    const chunks = new PassThrough();
    // If the reader has stopped, closing the transfer causes an error.
    chunks.on('error', () => {});
    const start = () => {
      client.downloadTo(chunks, server.path).catch((error: unknown) => {
        chunks.destroy(asFeedError(error, 'the connection was lost in the middle of the file'));
      });
      return chunks;
    };
    const mark = size === null || changed === null ? null : `${size} ${changed.getTime()}`;
    return { size, mark, hostKey: null, start, close };
  } catch (error) {
    close();
    throw asFeedError(error, `${server.host} cannot be reached by FTP`);
  }
}

async function connect(
  client: Client,
  { host, address, port }: FileServer,
  isSecure: boolean,
  { signIn }: FileServerOptions,
): Promise<void> {
  try {
    await client.access({
      host: address,
      port,
      ...(signIn && { user: signIn.user ?? '', password: signIn.secret }),
      secure: isSecure && (port === implicitFtpsPort ? 'implicit' : true),
      // The connection is made to the checked address, but the certificate must match the name.
      secureOptions: { host: address, ...(!ipaddr.isValid(host) && { servername: host }) },
    });
  } catch (error) {
    if (error instanceof FTPError && error.code === 530) {
      throw new FeedError(`${host} refused the user name or password`, { cause: error });
    }
    const isCertificate = error instanceof Error && /certificate|ERR_TLS/i.test(error.message);
    throw asFeedError(
      error,
      isCertificate
        ? `the certificate of ${host} is not valid`
        : `${host} cannot be reached by FTP`,
    );
  }
}
