import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect as connectSocket, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { connect } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';
import { freePort } from '#test/free-port.ts';
import { runDeals, useOwner } from '#test/run-deals.ts';
import { waitForDatabase } from './wait-for-database.ts';

const database = useTestDatabase();
const owner = useOwner(database);

let port = 0;
/** A database server that starts late. */
let relay: Server;
let url = '';

beforeEach(async () => {
  port = await freePort();
  const far = new URL(database.url);
  relay = createServer((near) => {
    const socket = connectSocket(Number(far.port || 5432), far.hostname);
    for (const side of [near, socket]) side.on('error', () => {});
    near.pipe(socket).pipe(near);
  });
  const late = new URL(database.url);
  late.hostname = '127.0.0.1';
  late.port = String(port);
  url = late.href;
});
afterEach(() => void relay.close());

async function comeUp(): Promise<AddressInfo> {
  relay.listen(port, '127.0.0.1');
  await once(relay, 'listening');
  return relay.address() as AddressInfo;
}

describe('a start before the database is available', () => {
  it('waits for the database, logs one line per attempt, and continues once it responds', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const { db, close } = connect(url);
    const waiting = waitForDatabase({ db, description: 'db.example/deals' }, log, {
      pauseInMs: 20,
    });
    await expect.poll(() => lines.length).toBeGreaterThan(2);
    await comeUp();
    await waiting;
    await close();
    expect(lines.map((line) => (JSON.parse(line) as { attempt: number }).attempt)).toEqual(
      lines.map((_, index) => index + 1),
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'the database does not respond yet',
      words: `connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  it('waits for the database if a standby responds instead', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const standby = Object.assign(new Error('cannot execute LISTEN during recovery'), {
      code: '25006',
    });
    let tries = 0;
    const ask = async () => {
      if (++tries < 3) throw standby;
    };
    await waitForDatabase({ ...database, description: 'x' }, log, { ask, pauseInMs: 5 });
    expect(lines.map((line) => (JSON.parse(line) as { words: string }).words)).toEqual([
      standby.message,
      standby.message,
    ]);
  });

  it('exits with an explanation if the database stays unreachable', async () => {
    const log = createLog('silent');
    const { db, close } = connect(url);
    const patience = { patienceInMs: 50, pauseInMs: 20 };
    await expect(
      waitForDatabase({ db, description: 'db.example/deals' }, log, patience),
    ).rejects.toThrow(
      /^The database \(db\.example\/deals\) did not respond for 0 s: connect ECONNREFUSED .*\. Is it running, and is DATABASE_URL correct\?$/,
    );
    await close();
  });

  it('reports database errors immediately if waiting cannot fix them', async () => {
    const none = new URL(database.url);
    none.pathname = '/no_such_database';
    const PORT = String(await freePort());
    const env = { ...owner.env, DATABASE_URL: none.href, HOST: '127.0.0.1', PORT };
    const said = await runDeals(['start'], env);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toBe('database "no_such_database" does not exist\n');
  });

  it('does not wait for a pooler that rejects a setting', async () => {
    const pooler = createServer((socket) => {
      socket.on('error', () => {});
      // An ErrorResponse message as pgbouncer sends it.
      const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
      const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
      socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)])));
    }).listen(port, '127.0.0.1');
    await once(pooler, 'listening');
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const { db, close } = connect(url);
    await expect(waitForDatabase({ db, description: 'db.example/deals' }, log)).rejects.toThrow(
      'unsupported startup parameter',
    );
    await close();
    pooler.close();
    expect(lines).toEqual([]);
  });

  it('waits for the database in `deals start`', async () => {
    const PORT = String(await freePort());
    let started = false;
    const watch = (child: ChildProcess) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        const text = chunk.toString();
        if (text.includes('the database does not respond yet') && !started) {
          started = true;
          void comeUp();
        }
        if (text.includes('Deal Hub is running')) child.kill('SIGTERM');
      });
    };
    const env = { ...owner.env, DATABASE_URL: url, HOST: '127.0.0.1', PORT };
    await writeFile(path.join(owner.folder, '.env'), 'SMPT_URL=smtp://mail.example\n');
    const said = await runDeals(['start'], env, { onStart: watch, cwd: owner.folder });
    expect(said).toMatchObject({ code: 0, err: '' });
    const lines = said.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).toContain('Deal Hub is running');
    const warning = '.env sets SMPT_URL, which is not a setting. Did you mean SMTP_URL?';
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: warning }));
  });
});
