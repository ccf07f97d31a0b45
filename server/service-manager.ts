import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '#app/platform/log.server.ts';

const run = promisify(execFile);

/**
 * ms; a start may take minutes (migrations, a PostgreSQL upgrade), so each notification extends the
 * timeout well before it expires
 */
const extension = { everyMs: 20_000, byMs: 60_000 };

export interface ServiceManager {
  /**
   * Notifies that the site is ready. After that, notifies the watchdog, if any, for as long as
   * `isSound` returns true. The timer itself proves that the event loop is running.
   */
  ready(status: string, isSound: () => boolean): Promise<void>;
  /** Notifies that the site is stopping, and how long that may take. */
  stopping: (patienceInMs: number) => void;
}

/**
 * Returns the service manager that started this process: systemd with `Type=notify`, or another one
 * that supports sd_notify(3). Without one, nothing is sent. Node has no Unix datagram sockets, so
 * `systemd-notify` sends the messages, which requires `NotifyAccess=all` in the unit. Removes the
 * manager's environment variables, because PostgreSQL would use them too.
 */
export function serviceManager(log: Log, env = process.env): ServiceManager {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (!NOTIFY_SOCKET) return { ready: async () => {}, stopping: () => {} };
  const isWatched = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  const watchdogMs = isWatched ? Number(WATCHDOG_USEC ?? 0) / 1000 : 0;

  const tell = async (...news: string[]) => {
    try {
      await run('systemd-notify', news, { env: { ...env, NOTIFY_SOCKET } });
    } catch (error) {
      log.error({ err: error, news }, 'the service manager could not be notified');
    }
  };
  const extending = setInterval(
    () => void tell(`EXTEND_TIMEOUT_USEC=${extension.byMs * 1000}`),
    extension.everyMs,
  );
  extending.unref();
  return {
    async ready(status, isSound) {
      clearInterval(extending);
      await tell('READY=1', `STATUS=${status}`);
      if (watchdogMs === 0) return;
      setInterval(() => void (isSound() && tell('WATCHDOG=1')), watchdogMs / 2).unref();
    },
    stopping(patienceInMs) {
      clearInterval(extending);
      void tell('STOPPING=1', `EXTEND_TIMEOUT_USEC=${patienceInMs * 1000}`, 'STATUS=stopping');
    },
  };
}
