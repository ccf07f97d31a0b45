import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { examineHealth } from '#app/features/desk/examine-health.server.ts';
import { openMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { sendTestMail } from '#server/commands/send-test-mail.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { givePassword, flashOf, signedInVisitor, staffPassword } from '#test/staff.ts';

const database = useTestDatabase();
const address = '/admin/settings/mail-server';
const account = { user: 'shop', password: 'a long secret 77' };
let folder: string;
const servers: SmtpStandIn[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mail-server-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const envOf = (more: Record<string, string> = {}) =>
  readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder, ...more });

async function ownerOf(env = envOf()) {
  const visitor = await signedInVisitor(database, testSite(database, { env }), 'super_admin');
  await givePassword(database, visitor.userId);
  return visitor;
}

async function startServer(more: { account?: typeof account } = { account }) {
  const server = await startSmtpStandIn(undefined, more);
  servers.push(server);
  return server;
}

const stored = async () => (await readSiteSettings(database.db)).mailServer;
const versionIn = (html: string) => /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
const formOf = (port: number, more: Record<string, string> = {}) => ({
  host: '127.0.0.1',
  port: String(port),
  user: account.user,
  smtp_password: account.password,
  from: 'deals@shop.example',
  version: '0',
  password: staffPassword,
  ...more,
});

test('saves a mail server after a successful sign-in, and sends email through it', async () => {
  const { port, accepted } = await startServer();
  const owner = await ownerOf();
  const sent = await owner.send(address, formOf(port));
  expect([sent.status, flashOf(sent)]).toEqual([302, 'Email server saved.']);
  expect(await stored()).toMatchObject({ host: '127.0.0.1', port, user: 'shop' });
  expect(JSON.stringify(await stored())).not.toContain(account.password);
  const { isSent, text } = await sendTestMail(testServices(database), 'ada@mail.example', 0);
  expect([isSent, text]).toEqual([true, expect.stringContaining('by smtp 127.0.0.1')]);
  expect(accepted).toMatchObject([{ from: 'deals@shop.example', to: 'ada@mail.example' }]);
});

test('shows neither the password nor its encrypted form on the page or in the audit log', async () => {
  const { port } = await startServer();
  const owner = await ownerOf();
  await owner.send(address, formOf(port));
  const sealed = (await stored())?.password ?? '';
  expect(sealed).not.toBe('');
  const { html } = await owner.open(address);
  expect(html).toContain('Leave blank to keep the stored one.');
  const log = await database.db.selectFrom('audit_log').selectAll().execute();
  const shown = html + JSON.stringify(log);
  expect(shown.includes(sealed)).toBe(false);
  expect(shown.includes(account.password)).toBe(false);
  expect(log.at(-1)).toMatchObject({ action: 'settings.update', entity_id: 'mailServer' });
});

test.each([
  ['a wrong password', { smtp_password: 'wrong' }, 'The server rejected the user name'],
  ['no server', { port: '1' }, 'Nothing accepts connections at this port.'],
  ['an unknown name', { host: 'nowhere.invalid' }, 'This name was not found.'],
])(
  'does not save a mail server that fails because of %s, unless confirmed',
  async (_why, more, words) => {
    const { port } = await startServer();
    const owner = await ownerOf();
    const refused = await owner.send(address, formOf(port, more));
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(words);
    expect(refused.html).toContain('Save without a working connection');
    expect(refused.html).toContain('value="deals@shop.example"');
    expect(await stored()).toBeNull();
    expect((await owner.send(address, formOf(port, { ...more, confirmed: 'on' }))).status).toBe(
      302,
    );
    expect(await stored()).not.toBeNull();
  },
);

test('never shows the response of another service', async () => {
  const other = createServer((socket) => socket.end('-ERR secret banner of a database\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const { html } = await (await ownerOf()).send(address, formOf(port));
  other.close();
  expect(html).toContain('No mail server answered at this port.');
  expect(html).not.toContain('secret banner');
});

test('rejects invalid input at its field', async () => {
  const { status, html } = await (
    await ownerOf()
  ).send(address, formOf(0, { host: 'two words', port: '70000', from: 'nobody' }));
  expect(status).toBe(422);
  expect(html).toContain('Must be a host name or address');
  expect(html).toContain('A port from 1 to 65535');
  expect(html).toContain('Please enter a valid email address');
});

test('requires the user’s own password', async () => {
  const { port, mails } = await startServer();
  const owner = await ownerOf();
  expect((await owner.send(address, formOf(port, { password: 'guess' }))).status).toBe(422);
  expect((await owner.send(address, { intent: 'remove' })).status).toBe(422);
  expect([await stored(), mails]).toEqual([null, []]);
});

test('keeps the stored password for the same server, and sends it to no other', async () => {
  const first = await startServer();
  const owner = await ownerOf();
  await owner.send(address, formOf(first.port));
  const again = async (more: Record<string, string>) => {
    const { html } = await owner.open(address);
    return owner.send(
      address,
      formOf(first.port, { smtp_password: '', version: versionIn(html), ...more }),
    );
  };
  expect((await again({ from: '' })).status).toBe(302);
  const mail = await openMailEnv({ db: database.db, env: envOf() });
  expect(mail).toMatchObject({ smtp: { password: account.password }, from: envOf().mail.from });
  const second = await startServer();
  const refused = await again({ port: String(second.port) });
  expect(refused.html).toContain('Enter the password for this server and user.');
  expect((await stored())?.port).toBe(first.port);
});

test('does not overwrite what another user saved meanwhile', async () => {
  const { port } = await startServer();
  const owner = await ownerOf();
  await owner.send(address, formOf(port));
  const late = await owner.send(address, formOf(port, { from: 'late@shop.example' }));
  expect([late.status, (await stored())?.from]).toEqual([409, 'deals@shop.example']);
});

test('uses the server set by the environment, and then shows no form', async () => {
  const { port } = await startServer();
  await (await ownerOf()).send(address, formOf(port));
  const env = envOf({ SMTP_URL: 'smtp://mail.example:2525', SMTP_FROM: 'env@shop.example' });
  expect(await openMailEnv({ db: database.db, env })).toBe(env.mail);
  const { html } = await (await ownerOf(env)).open(address);
  expect(html).toContain('smtp mail.example');
  expect(html).not.toContain('name="host"');
});

test('keeps emails in the outbox again after the server was removed', async () => {
  const { port } = await startServer();
  const owner = await ownerOf();
  await owner.send(address, formOf(port));
  const email = async () =>
    JSON.stringify(await examineHealth(testServices(database), owner.userId));
  expect(await email()).toContain('smtp 127.0.0.1');
  await owner.send(address, { intent: 'remove', password: staffPassword });
  expect(await email()).toContain('No email server');
  expect(await stored()).toBeNull();
});
