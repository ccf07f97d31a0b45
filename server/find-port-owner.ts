import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns the process that listens on a port of this server, or null if unknown. */
export function findPortOwner(port: number): number | null {
  return process.platform === 'linux' ? ownerByProc(port) : ownerByLsof(port);
}

function ownerByProc(port: number): number | null {
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port)),
  );
  if (sockets.size === 0) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const handles = readdirSync(`/proc/${pid}/fd`);
      if (handles.some((handle) => sockets.has(readlinkSync(`/proc/${pid}/fd/${handle}`)))) {
        return Number(pid);
      }
    } catch {
      // The process has exited or belongs to another user.
    }
  }
  return null;
}

function listeningSockets(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  try {
    return readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === '0A')
      .map((columns) => `socket:[${columns[9]}]`);
  } catch {
    return [];
  }
}

function ownerByLsof(port: number): number | null {
  const asked = spawnSync('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN'], {
    encoding: 'utf8',
  });
  const pid = Number(asked.stdout?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
