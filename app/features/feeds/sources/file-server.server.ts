import { resolvePublic } from '#app/platform/public-address.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch-error.ts';
import { FeedError } from '../formats/feed-error.ts';
import type { FeedSignIn } from './feed-sign-in.server.ts';
import { pathOf } from './source-address.ts';

/** A file on an FTP or SFTP server that is ready to be read. */
export interface RemoteFile {
  /** The size in bytes, or `null` if the server does not return it. */
  size: number | null;
  /**
   * A value that changes with the file, or `null` if the server does not send enough information.
   */
  mark: string | null;
  /** The server's key, only for SFTP. */
  hostKey: string | null;
  /** Begins the transfer. */
  start(): AsyncIterable<Uint8Array>;
  close(): void;
}

export interface FileServerOptions {
  signIn: FeedSignIn | null;
  /** The key that the server must have, or `null` at the first connection. */
  hostKey: string | null;
  allowPrivate?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A file server with its checked address. Connections use this address, so that a second DNS
 * response cannot differ.
 */
export interface FileServer {
  host: string;
  address: string;
  port: number;
  path: string;
}

/** The timeout in milliseconds for a response. */
export const answerWithinMs = 30_000;
const usualPorts = { 'ftp:': 21, 'ftps:': 21, 'sftp:': 22 } as const;
export const implicitFtpsPort = 990;

/** Checks the address of a file server as `safeFetch` does for http. */
export async function locateFileServer(
  location: string,
  { allowPrivate = false }: Pick<FileServerOptions, 'allowPrivate'>,
): Promise<FileServer> {
  const url = URL.parse(location);
  const scheme = url?.protocol;
  if (!url || (scheme !== 'ftp:' && scheme !== 'ftps:' && scheme !== 'sftp:')) {
    throw new FeedError('this is not the address of a file server');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? usualPorts[scheme] : Number(url.port);
  const isUsual = Object.values<number>(usualPorts).includes(port) || port === implicitFtpsPort;
  if (!allowPrivate && !isUsual && port < 1_024) {
    throw new FeedError(`port ${port} is not allowed, only 21, 22, 990 and 1024 or higher`);
  }
  try {
    const [found] = await resolvePublic(host, { allowPrivate });
    if (!found) throw new FeedError(`${host} was not found`);
    return { host, address: found.address, port, path: pathOf(url) };
  } catch (error) {
    if (error instanceof SafeFetchError) throw new FeedError(error.message, { cause: error });
    throw error;
  }
}

/** Describes a connection error without quoting anything that was sent. */
export function asFeedError(error: unknown, words: string): FeedError {
  return error instanceof FeedError ? error : new FeedError(words, { cause: error });
}
