import { readFileSync, readlinkSync } from 'node:fs';

export interface HeldSocket {
  fd: number;
  port: number;
}

/** The value of SD_LISTEN_FDS_START in sd_listen_fds(3). */
const firstFd = 3;

/**
 * Returns the listening socket that a service manager such as systemd passed to the site
 * (sd_listen_fds(3)), or null. Removes the manager's environment variables, so that child processes
 * do not use the socket. Throws a message for the operator if the site cannot use the socket.
 */
export function takeHeldSocket(env = process.env): HeldSocket | null {
  const { LISTEN_PID, LISTEN_FDS } = env;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name];
  if (LISTEN_PID !== String(process.pid)) return null;
  if (LISTEN_FDS !== '1') {
    throw new Error(
      `The service manager holds ${LISTEN_FDS} sockets, but the site listens on one: keep a single ListenStream= in its .socket unit.`,
    );
  }
  const port = readPort(firstFd);
  if (port === null) {
    throw new Error(
      "The service manager's socket is not a listening TCP socket: its .socket unit needs ListenStream= with a port, and no Accept=yes.",
    );
  }
  return { fd: firstFd, port };
}

/**
 * Returns the port of an inherited listening socket. Node reports the port only once the socket
 * accepts connections.
 */
function readPort(fd: number): number | null {
  const name = readlinkSync(`/proc/self/fd/${fd}`);
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n'),
  );
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find((columns) => `socket:[${columns[9]}]` === name && columns[3] === '0A');
  return row ? Number.parseInt(row[1]?.split(':')[1] ?? '', 16) : null;
}
