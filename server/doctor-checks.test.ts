import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckResult } from '#app/platform/check-result.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { connect } from '#database/connect.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import {
  createAsciiDatabase,
  createTestDatabase,
  type TestDatabase,
  useTestDatabase,
} from '#test/database.ts';
import { type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { asSuperuser } from '#test/as-superuser.ts';
import { describeRights } from '#app/platform/examine-machine.server.ts';
import { checkCertificate, examineAddress } from './examine-address.ts';
import { examineAlphabets } from './examine-alphabets.ts';
import { examineMailServer } from './examine-mail-server.ts';
import { examineBounces, examineMailDns } from './examine-mail-dns.ts';
import { examineConnections } from './examine-secrets.ts';
import { examineSite } from './examine-site.ts';
import { securityHeaders } from './security-headers.ts';

const database = useTestDatabase();
let folder = '';
let own: TestDatabase | undefined;
let server: Server | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  vi.useRealTimers();
  server?.close();
  await own?.close();
  own = undefined;
});

/** Returns the results of doctor with these settings, by name. The site's URL does not respond. */
async function examine(env: Record<string, string> = {}): Promise<Map<string, CheckResult>> {
  const results = await examineSite({
    ORIGIN: 'http://localhost:9',
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    ...env,
  });
  return new Map(results.map((result) => [result.name, result]));
}

/** Starts a server on a local address. */
async function answering(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

// Proves R56: without root, with few rights (operations.md, examine-machine.server.ts)
describe('R56: the process user', () => {
  it.each([
    [0, true, 'warning', 'root'],
    [0, false, 'warning', 'root'],
    [1001, true, 'warning', 'user 1001, who may change the program'],
    [1001, false, 'ok', 'user 1001, who may not change the program'],
    [null, false, 'ok', 'a user of this server'],
  ] as const)(
    'R56: checks the user %s, who may change the program files: %s',
    (userId, mayWrite, state, detail) => {
      const result = describeRights(userId, mayWrite);
      expect(result).toMatchObject({ name: 'rights', state });
      expect(result.detail).toContain(detail);
      expect(result.fix === undefined).toBe(state === 'ok');
    },
  );

  it('R56: checks the rights of the current user', async () => {
    const rights = (await examine()).get('rights');
    const isRoot = process.getuid?.() === 0;
    expect(rights?.detail.startsWith('root')).toBe(isRoot);
    expect(rights?.state).toBe('warning'); // The user is either root or the owner of this checkout.
  });
});

describe('alphabets', () => {
  it('accepts trigrams that know more than ASCII, and suggests a fix otherwise', async () => {
    expect((await examine()).get('alphabets')).toMatchObject({ state: 'ok' });
    own = await createAsciiDatabase();
    expect((await examine({ DATABASE_URL: own.url })).get('alphabets')).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining("LC_CTYPE 'C.UTF-8'"),
    });
    const ofPrivate = await examineAlphabets(own.pool, true);
    expect(ofPrivate.fix).toContain('Restore a backup into a new database.');
  });
});

describe('R55: the configuration', () => {
  it('R55: reports only an invalid configuration, since nothing else can be checked', async () => {
    const results = await examineSite({ PORT: 'x', DATABASE_URL: 'mysql://a:hunter2@b/c' });
    expect(results.map(({ name, state }) => [name, state])).toEqual([
      ['Node', 'ok'],
      ['rights', expect.any(String)], // The result depends on the user who runs the tests.
      ['configuration', 'problem'],
    ]);
    expect(results[2]?.detail).toContain('PORT is "x"');
    expect(results[2]?.detail).toContain('DATABASE_URL is not usable');
    expect(JSON.stringify(results)).not.toContain('hunter2');
  });

  it.each([
    ['https://deals.example', 'ok', 'https://deals.example'],
    ['http://deals.example', 'warning', 'is not encrypted'],
    ['http://localhost:3000', 'warning', 'only this server can open the site'],
    ['http://127.0.0.1:3000', 'warning', 'only this server can open the site'],
    ['http://192.168.1.5:3000', 'warning', 'is not encrypted'],
  ])('R55: checks ORIGIN %s: %s', async (ORIGIN, state, words) => {
    // The URL is checked without a request to its host.
    const result = (await examine({ ORIGIN, DATABASE_URL: unreachable })).get('ORIGIN');
    expect(result).toMatchObject({ state, detail: expect.stringContaining(words) });
  });

  it.each([
    ['https://deals.example', '', 'warning'],
    ['https://deals.example', '127.0.0.1', 'ok'],
    ['https://deals.example', '0.0.0.0/0', 'problem'],
    ['http://localhost:9', '10.0.0.0/8, ::/0', 'problem'],
    ['http://localhost:9', '', 'ok'],
  ])(
    'R55: checks the origin %s behind the proxies "%s": %s',
    async (ORIGIN, TRUSTED_PROXIES, state) => {
      const found = await examine({ ORIGIN, TRUSTED_PROXIES, DATABASE_URL: unreachable });
      expect(found.get('trusted proxies')?.state).toBe(state);
    },
  );
});

const unreachable = 'postgres://shop:hunter2-hunter2@127.0.0.1:1/none';

describe('R55: the database', () => {
  it('R55: reports an unreachable database as a problem, without showing its password', async () => {
    const found = await examine({ DATABASE_URL: unreachable });
    expect(found.get('database')).toMatchObject({
      state: 'problem',
      fix: expect.stringContaining('DATABASE_URL'),
    });
    expect(found.has('migrations')).toBe(false);
    expect(JSON.stringify([...found])).not.toContain('hunter2');
  });

  it('R55: reports that the database does not exist yet, and creates nothing', async () => {
    for (const name of ['empty', 'missing']) {
      const place = path.join(folder, name);
      if (name === 'empty') await mkdir(place);
      const found = await examine({ DATABASE_URL: '', DATA_DIR: place });
      expect(found.get('database')).toEqual({
        name: 'database',
        state: 'warning',
        detail: `there is none in ${place} yet`,
        fix: '`deals start` creates it.',
      });
    }
    expect(await readdir(path.join(folder, 'empty'))).toEqual([]);
    expect(await readdir(folder)).not.toContain('missing');
  });

  it('R55: reports a missing migration with the command to run it, and skips the check of the site’s secrets', async () => {
    own = await createTestDatabase();
    await sql`delete from kysely_migration
               where name = (select max(name) from kysely_migration)`.execute(own.db);
    const found = await examine({ DATABASE_URL: own.url });
    expect(found.get('migrations')).toMatchObject({ state: 'problem', fix: 'deals migrate' });
    expect(found.has('site secret')).toBe(false);
    await sql`drop table kysely_migration`.execute(own.db);
    const bare = await examine({ DATABASE_URL: own.url });
    expect(bare.get('migrations')?.detail).toMatch(/^the database is at nothing, not \d{4}_/);
  });

  it('R55: reports a database from a newer version as a problem without a fix', async () => {
    own = await createTestDatabase();
    await sql`insert into kysely_migration values ('9999_later', '')`.execute(own.db);
    const { state, detail, fix } =
      (await examine({ DATABASE_URL: own.url })).get('migrations') ?? {};
    expect([state, detail]).toEqual([
      'problem',
      'the database is at 9999_later, newer than this version',
    ]);
    expect(fix).toContain('newer version');
  });

  it('R55: reports a problem if the database may lose confirmed writes', async () => {
    const durable = await startEmbeddedPostgres({ dataDir: path.join(folder, 'durable') });
    const { db, close } = connect(durable.url);
    try {
      expect((await examine({ DATABASE_URL: durable.url })).get('durability')?.state).toBe('ok');
      await sql`alter database postgres set synchronous_commit = off`.execute(db);
      expect((await examine({ DATABASE_URL: durable.url })).get('durability')).toMatchObject({
        state: 'problem',
        detail: 'off: synchronous_commit',
      });
    } finally {
      await close();
      await durable.stop();
    }
  });

  it('R55: warns about a database role that may run programs, unless the database is private', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'role') });
    try {
      expect((await examine({ DATABASE_URL: postgres.url })).get('database role')).toMatchObject({
        state: 'ok',
        detail: 'deal_hub, which is not a superuser',
      });
      const superuser = await examine({ DATABASE_URL: asSuperuser(postgres).url });
      expect(superuser.get('database role')).toMatchObject({
        state: 'warning',
        detail: 'postgres may run programs on the database server',
      });
    } finally {
      await postgres.stop();
    }
  });

  it('R55: warns about a database clock that differs by more than two seconds', async () => {
    expect((await examine()).get('clock')?.state).toBe('ok');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const result = (await examine()).get('clock');
    expect(result?.state).toBe('warning');
    expect(result?.detail).toMatch(/^the clock is (?:59|6\d)\.\d s off the database's$/);
  });
});

describe('R55: passwords in connection strings', () => {
  const results = (env: Record<string, string>) =>
    examineConnections(readEnv({ ORIGIN: 'https://deals.test', ...env }));

  it.each([
    ['postgres://shop@127.0.0.1/shop', 'ok'], // local users need no password
    ['postgres://shop:elevenchars@localhost/shop', 'warning'],
    ['postgres://shop:twelve-chars@[::1]/shop', 'ok'],
    // six characters, percent-encoded
    ['postgres://shop:%61%62%63%64%65%66@127.0.0.1/shop', 'warning'],
    ['postgres://shop:100%25-of-the-price@127.0.0.1/shop', 'ok'],
    ['postgres://shop:100%-of-the-price@127.0.0.1/shop', 'ok'],
    ['postgres://shop@db.example/shop?sslmode=verify-full', 'warning'],
    ['postgres://shop:long-enough-to-keep@db.example/shop?sslmode=prefer', 'warning'],
    ['postgres://shop:long-enough-to-keep@db.example/shop?sslmode=require', 'ok'],
  ])('R55: checks the password in %s: %s', (DATABASE_URL, state) => {
    expect(results({ DATABASE_URL }).map((result) => result.state)).toEqual([state]);
  });

  it.each([
    [{ SMTP_URL: 'smtps://me:short@mail.example' }, 1],
    [{ SMTP_URL: 'smtps://me:50%@mail.example' }, 1],
    [{ SMTP_URL: 'smtps://me:long-enough-to-keep@mail.example' }, 0],
    [{ SMTP_URL: 'smtp://mail.example' }, 0],
    [{ SMTP_HOST: 'mail.example', SMTP_USER: 'me', SMTP_PASSWORD: 'short' }, 1],
    [{ SMTP_HOST: 'mail.example' }, 0],
  ])('R55: finds short passwords in the connection string %j: %i', (env, count) => {
    const found = results(env);
    expect(found).toHaveLength(count);
    expect(JSON.stringify(found)).not.toMatch(/:short|50%/);
  });
});

describe('R55: the sender address', () => {
  it.each(['no-reply@192.0.2.1.example', 'no-reply@deals.example'])(
    'R55: looks up DNS records for the domain of the sender %s',
    async (SMTP_FROM) => {
      const asked: string[] = [];
      const env = readEnv({ SMTP_HOST: 'mail.example', SMTP_FROM: SMTP_FROM });
      const found = await examineMailDns(env, async (name) => {
        asked.push(name);
        return ['V=SPF1 -all', 'v=DMARC1; p=none'];
      });
      const domain = SMTP_FROM.split('@')[1];
      expect(asked).toEqual([domain, `_dmarc.${domain}`]);
      expect(found.map(({ state }) => state)).toEqual(['ok', 'ok']);
    },
  );

  it('R55: looks up no DNS records if the sender is on localhost', async () => {
    for (const ORIGIN of ['http://localhost:3000', 'http://192.0.2.1', 'http://[2001:db8::1]']) {
      const found = await examineMailDns(readEnv({ ORIGIN, SMTP_HOST: 'mail.example' }), () => {
        throw new Error('asked');
      });
      expect([ORIGIN, found.map(({ state }) => state)]).toEqual([ORIGIN, ['warning']]);
    }
  });
});

it.each([
  [{}, 'ok', 'there is no email server'],
  [{ SMTP_HOST: 'mail.example' }, 'warning', 'only rejections'],
  [{ SMTP_HOST: 'mail.example', MAILGUN_WEBHOOK_SECRET: 'k'.repeat(32) }, 'ok', 'Mailgun'],
])('checks bounces with %j: %s', (env, state, detail) => {
  const result = examineBounces(readEnv(env));
  expect(result).toMatchObject({ name: 'bounces', state });
  expect(result.detail).toContain(detail);
});

describe('R55: the mail server', () => {
  const silent = createSocketServer();
  let smtp: SmtpStandIn;
  let refusing: SMTPServer;
  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    refusing = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    });
    for (const one of [silent, refusing.server]) {
      one.listen(0, '127.0.0.1');
      await once(one, 'listening');
    }
  });
  afterAll(async () => {
    await smtp.close();
    silent.close();
    refusing.close(() => {});
  });
  const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port;
  const look = (env: Record<string, string>) => examineMailServer(readEnv(env), 300);

  it('R55: passes a mail server that accepts a connection, and skips the check if none is set', async () => {
    expect(await look({})).toEqual([]);
    expect(await look({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) })).toEqual([
      { name: 'mail server', state: 'ok', detail: 'smtp 127.0.0.1 accepts connections' },
    ]);
    expect(smtp.mails).toEqual([]);
  });

  it('R55: reports a mail server that is unreachable or rejects the password, without showing the password', async () => {
    const closed = await look({ SMTP_URL: 'smtp://me:hunter2-hunter2@127.0.0.1:1' });
    expect(closed).toEqual([
      {
        name: 'mail server',
        state: 'problem',
        detail: expect.stringContaining('smtp 127.0.0.1 cannot be used: connect ECONNREFUSED'),
        fix: 'Is the email server running? Correct its host and port in SMTP_URL, in SMTP_HOST and SMTP_PORT, or in the settings.',
      },
    ]);
    const at = `127.0.0.1:${portOf(refusing.server)}`;
    const refused = await look({ SMTP_URL: `smtp://me:hunter2-hunter2@${at}` });
    expect(refused).toMatchObject([
      { state: 'problem', fix: expect.stringContaining('Correct the user and password') },
    ]);
    expect(JSON.stringify([closed, refused])).not.toContain('hunter2');
  });

  it('R55: reports a mail server whose certificate does not match its name', async () => {
    const tls = new SMTPServer({ logger: false }); // The certificate is self-signed.
    tls.server.listen(0, '127.0.0.1');
    await once(tls.server, 'listening');
    expect(
      await look({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(portOf(tls.server)) }),
    ).toMatchObject([{ state: 'problem', fix: expect.stringContaining('certificate') }]);
    tls.close(() => {});
  });

  it('R55: warns if the mail server does not respond or its host name does not resolve', async () => {
    const before = performance.now();
    const unknown: Record<string, string>[] = [
      { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(portOf(silent)) },
      { SMTP_HOST: 'mail.invalid' },
    ];
    for (const env of unknown) {
      expect(await look(env)).toMatchObject([
        { state: 'warning', fix: expect.stringContaining('Is this server online') },
      ]);
    }
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('R55: reports a DKIM key that is missing or invalid', async () => {
    const file = path.join(folder, 'dkim.pem');
    const dkim = { DKIM_DOMAIN: 'deals.test', DKIM_SELECTOR: 'm1', DKIM_PRIVATE_KEY: file };
    const env = { ...dkim, SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) };
    expect(await look(env)).toContainEqual({
      name: 'DKIM key',
      state: 'problem',
      detail: `${file} cannot be read (ENOENT): no email can be sent`,
      fix: 'Put a private key there, or correct DKIM_PRIVATE_KEY.',
    });
    await writeFile(file, 'none');
    expect((await look(env))[1]?.detail).toContain('contains no PEM private key');
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect((await look(env))[1]).toEqual({ name: 'DKIM key', state: 'ok', detail: file });
  });
});

describe('R55: the public URL', () => {
  const now = new Date('2026-05-01T00:00:00Z');

  it('R55: reports a proxy that passes on the wrong Host header, with a fix', async () => {
    const origin = await answering((_request, response) => {
      response.writeHead(421).end();
    });
    const [result] = await examineAddress(origin, now);
    expect(result).toMatchObject({ name: 'headers', state: 'problem' });
    expect(result?.fix).toContain('pass the Host header on');
  });

  it('R55: names each header that a proxy dropped or changed', async () => {
    const origin = await answering((_request, response) => {
      for (const [name, value] of Object.entries(securityHeaders('http://localhost')))
        response.setHeader(name, value);
      response.setHeader('content-security-policy', "default-src 'none'");
      response.setHeader('x-frame-options', 'ALLOWALL');
      response.removeHeader('referrer-policy');
      response.end('ok');
    });
    const [result] = await examineAddress(origin, now);
    expect(result?.state).toBe('problem');
    expect(result?.detail).toBe(`${origin} changes or drops referrer-policy, x-frame-options`);
  });

  it('R55: warns about a public URL that does not respond correctly', async () => {
    const hangsUp = await answering((request) => void request.socket.destroy());
    const [result] = await examineAddress(hangsUp, now);
    expect(result).toMatchObject({ name: 'headers', state: 'warning' });
    expect(result?.detail).toContain('does not respond from here');
  });

  it('R55: suggests a fix if the host name in the public URL does not resolve', async () => {
    const [result, ...more] = await examineAddress('https://deals.invalid', now);
    expect(result).toMatchObject({ name: 'ORIGIN DNS', state: 'warning' });
    expect(result?.detail).toMatch(
      /^deals\.invalid does not resolve from here \((?:ENOTFOUND|EAI_AGAIN)\)$/,
    );
    expect(result?.fix).toContain('or correct ORIGIN');
    expect(more).toEqual([]);
  });

  it.each([
    [15, 'ok'],
    [14, 'ok'],
    [13, 'warning'],
    [0, 'warning'],
    [-3, 'warning'],
  ])('R55: checks a certificate valid for %i more days: %s', (days, state) => {
    const ends = new Date(now.getTime() + days * 86_400_000);
    expect(checkCertificate(ends, now)).toMatchObject({
      state,
      detail: `the certificate is valid for ${days} more days`,
    });
  });
});
