// Reads PostgreSQL's pid file, and checks whether the process that it names is really that server.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '#database/error-code.ts';

export interface PidFile {
  pid: number;
  /** The port, or null while the server has only begun to write the file. */
  port: number | null;
}

export function readPidFile(cluster: string): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Math.abs(Number(lines[0])); // A negative number means single-user mode.
    return pid > 0 ? { pid, port: Number(lines[3]) || null } : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Returns whether the process is this cluster's server. After a crash the id in the pid file may
 * belong to another process. In a container, where ids start at 1 again, that process may be
 * another cluster's server.
 */
export function isServerOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') return worksIn(cluster, pid) ?? mentions(cluster, pid);
  const printed = (program: string, ...args: string[]) => String(spawnSync(program, args).stdout);
  if (process.platform === 'win32') {
    return /^"?postgres/.test(printed('tasklist', '/fi', `PID eq ${pid}`, '/fo', 'csv', '/nh'));
  }
  return printed('ps', '-p', String(pid), '-o', 'command=').includes(cluster);
}

/** Ends the server by PostgreSQL's immediate shutdown, which is like a power cut. */
export async function abortServer(cluster: string, pid: number): Promise<void> {
  if (isServerOf(cluster, pid)) process.kill(pid, 'SIGQUIT');
  while (isServerOf(cluster, pid)) await wait(20);
}

/**
 * Returns whether a process works in the cluster's folder, as its server does. Returns null if this
 * process may not read that.
 */
function worksIn(cluster: string, pid: number): boolean | null {
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false;
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return null;
  }
}

function mentions(cluster: string, pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    return false; // The process has ended.
  }
}
