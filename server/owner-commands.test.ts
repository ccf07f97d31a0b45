import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { insertCategory, insertDeal, insertUser } from '#test/factories/insert.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { sampleDeals } from '#app/features/feeds/runs/sample-deals.ts';
import { useTestDatabase } from '#test/database.ts';
import { jsonOf, runDeals, useOwner } from '#test/run-deals.ts';
import { openBucket } from '#database/s3-bucket.ts';
import { startS3Server } from '#test/s3-server.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { testServices } from '#test/services.ts';
import { sendTestMail } from './commands/send-test-mail.ts';

const database = useTestDatabase();
const owner = useOwner(database);
const { deals } = owner;

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const audited = async () =>
  (
    await database.db.selectFrom('audit_log').select(['actor', 'action']).orderBy('id').execute()
  ).map(({ actor, action }) => `${actor} ${action}`);

describe('deals maintenance', () => {
  const maintenance = async () => (await readSiteSettings(database.db)).maintenance;

  it('closes and opens the site, and only shows the state without arguments', async () => {
    const said = { code: 0, err: '' };
    expect(await deals('maintenance')).toEqual({
      ...said,
      out: 'Maintenance mode is off.\nThe access gate is off.\n',
    });
    expect(await audited()).toEqual([]);
    expect((await deals('maintenance', 'on')).out).toMatch(/^Maintenance mode is on\.\n/);
    expect((await maintenance()).enabled).toBe(true);
    expect((await deals('maintenance')).out).toMatch(/^Maintenance mode is on\.\n/);
    expect((await deals('maintenance', 'off')).out).toMatch(/^Maintenance mode is off\.\n/);
    expect((await maintenance()).enabled).toBe(false);
    expect((await audited()).every((entry) => entry.startsWith('cli '))).toBe(true);
    expect(await audited()).toHaveLength(2);
  });

  it('opens the access gate with `off` too, so that locked-out owners can get back in', async () => {
    const before = await maintenance();
    const shut = { ...before, enabled: true, gate: { ...before.gate, enabled: true } };
    const value = JSON.stringify(shut);
    await database.db.insertInto('site_settings').values({ name: 'maintenance', value }).execute();
    expect((await maintenance()).gate.enabled).toBe(true);
    expect((await deals('maintenance', 'off')).out).toBe(
      'Maintenance mode is off.\nThe access gate is off.\n',
    );
    expect(await maintenance()).toMatchObject({ enabled: false, gate: { enabled: false } });
  });
});

describe('deals mail', () => {
  const queue = (key: string, props: object = { askedAt: '2026-05-01T10:00:00Z' }) =>
    queueMail(database.db, { key, kind: 'test', to: `${key}@mail.example`, props: { ...props } });
  const states = async () =>
    (
      await database.db.selectFrom('mail_outbox').select(['key', 'state']).orderBy('id').execute()
    ).map(({ key, state }) => `${key.split(':')[0]} ${state}`);

  it('shows an email as its recipient sees it, as text and as HTML', async () => {
    await queue('ada');
    const [words, html] = [
      await deals('mail', 'show', '1'),
      await deals('mail', 'show', '1', '--html'),
    ];
    expect(words.code).toBe(0);
    expect(words.out).toMatch(/^To: ada@mail\.example\nSubject: .*\w.*\nState: queued\n\n/);
    expect(words.out).not.toContain('<p');
    expect(html.out).toMatch(/^<!DOCTYPE html/i);
    expect(await states()).toEqual(['ada queued']);
  });

  // Proves R60: links that act for their recipient
  it('R60: prints an acting link while its email is waiting, but not once it is sent', async () => {
    const to = 'ada@mail.example';
    const { id: userId } = await insertUser(database.db, { email: to });
    await queueMail(database.db, { key: 'ada', kind: 'reset-password', to, userId, props: {} });
    expect((await deals('mail', 'show', '1')).out).toMatch(/\/reset-password\?token=[\w-]{43}/);
    await database.db.updateTable('mail_outbox').set({ state: 'sent' }).execute();
    const { out } = await deals('mail', 'show', '1');
    expect(out).toContain('/reset-password?…');
    expect(out).not.toContain('token=');
    expect(out).toContain('The site does not store the links of sent emails.');
  });

  it('requeues one email in the outbox, or all of them', async () => {
    for (const key of ['ada', 'bob', 'cay']) await queue(key);
    await database.db.updateTable('mail_outbox').set({ state: 'failed' }).execute();
    const { db } = database;
    await db.updateTable('mail_outbox').set({ state: 'sent' }).where('key', '=', 'cay').execute();
    expect((await deals('mail', 'retry', '2')).out).toBe('1 queued; a running site sends them.\n');
    expect(await states()).toEqual(['ada failed', 'bob queued', 'cay sent']);
    expect((await deals('mail', 'retry', '3')).out).toBe(
      'No email has failed, so there is nothing to send again.\n',
    );
    expect((await deals('mail', 'retry')).out).toBe('2 queued; a running site sends them.\n');
    expect(await states()).toEqual(['ada queued', 'bob queued', 'cay sent']);
  });

  it('prints the server’s response to a test email, and exits with code 1 unless it was sent', async () => {
    const smtp = await startSmtpStandIn((to) =>
      to.startsWith('no') ? { at: 'recipient', code: 550, words: 'no such user' } : 'accept',
    );
    closings.push(() => smtp.close());
    const env = { ...owner.env, SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) };
    const test = (to: string) => runDeals(['mail', 'test', to], env);
    expect(await test('ada@mail.example')).toEqual({
      code: 0,
      out: 'Sent to ada@mail.example by smtp 127.0.0.1. Server response: 250 queued as 1\n',
      err: '',
    });
    expect(smtp.accepted.map(({ to }) => to)).toEqual(['ada@mail.example']);
    expect(await test('nobody@mail.example')).toMatchObject({
      code: 1,
      out: 'Not sent by smtp 127.0.0.1: 550 no such user. Email 2 is failed.\n',
    });
    const away = { ...env, SMTP_PORT: '1' };
    const later = await runDeals(['mail', 'test', 'ada@mail.example'], away);
    expect(later.code).toBe(1);
    expect(later.out).toMatch(
      /^Not sent by smtp 127\.0\.0\.1: .*ECONNREFUSED.* Email 3 is queued and retried\./,
    );
  });

  it('reports without a mail server that a test email was not sent, and where it is stored', async () => {
    const said = await deals('mail', 'test', 'ada@mail.example');
    expect(said).toEqual({
      code: 1,
      out: 'Not sent: no email server is configured (SMTP_URL, SMTP_HOST or the settings). Email 1 waits at /admin/outbox; `deals mail show 1` prints it.\n',
      err: '',
    });
    expect((await deals('mail', 'list', '--state', 'kept')).out).toContain('ada@mail.example');
  });

  it('does not report a test email as sent while another process has claimed it', async () => {
    await sql`create or replace function claim_mail() returns trigger language plpgsql as $$
      begin new.lease_until := now() + interval '1 minute'; return new; end $$`.execute(
      database.db,
    );
    await sql`create trigger claim_mail before insert on mail_outbox
      for each row execute function claim_mail()`.execute(database.db);
    closings.push(() => sql`drop trigger claim_mail on mail_outbox`.execute(database.db));
    expect(await sendTestMail(testServices(database), 'ada@mail.example', 0)).toEqual({
      isSent: false,
      text: 'Not sent yet: another process of the site is sending email 1. `deals mail list` shows the result.',
    });
  });
});

const stored = async () =>
  (await database.db.selectFrom('stored_pictures').selectAll().orderBy('name').execute()).map(
    ({ name, content }) => `${name} ${String(content)}`,
  );

describe('deals move-pictures', () => {
  it('moves pictures to PICTURE_STORE, and copies them to other stores first', async () => {
    const file = path.join(owner.folder, 'media/shop/a-1.webp');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'picture');
    expect(await deals('move-pictures')).toEqual({
      code: 0,
      out: 'Moved 1 pictures (0.0 MB) to database; 0 already there.\n',
      err: '',
    });
    expect(await stored()).toEqual(['shop/a-1.webp picture']);
    await expect(readFile(file)).rejects.toThrow('ENOENT');

    const copied = await deals('move-pictures', '--to', 'folder');
    expect(copied.out).toBe(
      'Copied 1 pictures (0.0 MB) to folder; 0 already there. Now set PICTURE_STORE=folder, restart the site everywhere, and run this command again.\n',
    );
    expect(await readFile(file, 'utf8')).toBe('picture');
    expect(await stored()).toEqual(['shop/a-1.webp picture']);
    expect(jsonOf(await deals('move-pictures', '--json'))).toEqual({
      to: 'database',
      moved: 0,
      bytes: 0,
      there: 1,
      kept: false,
    });
    expect((await deals('move-pictures', '--to', 'attic')).code).toBe(2);
    expect(await deals('move-pictures', '--to', 's3')).toMatchObject({
      code: 1,
      err: 'There is no bucket. Set S3_ENDPOINT and the other S3 settings.\n',
    });
  });
});

describe('R40: deals backup and deals restore', () => {
  const file = () => path.join(owner.folder, 'shop.backup');
  const backup = () => deals('backup', file(), '--json');
  const nameOf = () => new URL(database.url).pathname.slice(1);
  const titles = async () =>
    (await database.db.selectFrom('deals').select('title').orderBy('id').execute()).map(
      ({ title }) => title,
    );

  it('R40: writes one backup file that only its owner can read, and restores its content', async () => {
    await mkdir(path.join(owner.folder, 'media/shop'), { recursive: true });
    await writeFile(path.join(owner.folder, 'media/shop/a-1.webp'), 'picture');
    await insertDeal(database.db, { title: 'Then' });
    const made = await backup();
    expect([made.code, made.err]).toEqual([0, '']);
    expect(jsonOf(made)).toMatchObject({
      file: file(),
      pictures: 1,
      createdAt: expect.any(String),
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await audited()).toEqual(['cli site.backup']);

    await insertDeal(database.db, { title: 'Since' });
    const refused = await deals('restore', file());
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toBe(
      `This database contains data. To replace it with the backup: --replace ${nameOf()}\n`,
    );
    const wrong = await deals('restore', file(), '--replace', 'deals');
    expect(wrong).toMatchObject({
      code: 1,
      err: `The database is called ${nameOf()}, not deals.\n`,
    });
    expect(await titles()).toEqual(['Then', 'Since']);

    const back = await deals('restore', file(), '--replace', nameOf());
    expect(back.code).toBe(0);
    expect(back.out).toMatch(/^Restored [\d,]+ rows of \d+ tables and 1 pictures, as of 20\d\d-/);
    expect(await titles()).toEqual(['Then']);
    expect(await stored()).toEqual(['shop/a-1.webp picture']);
  });

  it('R40: fails with a list of the pictures in use that this server cannot reach', async () => {
    await insertDeal(database.db, { image_url: '/media/shop/b-2.webp' });
    // Copies are left out, because they can be downloaded again.
    await insertDeal(database.db, { image_url: '/media/pictures-0/1-ab-160.avif' });
    const made = await backup();
    expect(made.code).toBe(1);
    expect(jsonOf(made)).toMatchObject({ missing: ['shop/b-2.webp'] });
    expect(made.err).toContain('1 picture that pages show is not in it');
    expect(made.err).toContain('shop/b-2.webp');
    await mkdir(path.join(owner.folder, 'media/shop'), { recursive: true });
    await writeFile(path.join(owner.folder, 'media/shop/b-2.webp'), 'picture');
    expect(await backup()).toMatchObject({ code: 0, err: '' });
  });

  it('R40: fetches a backup from the site’s bucket by name', async () => {
    const s3 = await startS3Server();
    closings.push(() => s3.close());
    await insertDeal(database.db, { title: 'Then' });
    await backup();
    const name = 'nightly-2026-11-24T02-45.backup';
    await openBucket(s3.place).upload(`backups/${name}`, file());
    await insertDeal(database.db, { title: 'Since' });
    const env = { ...owner.env, BACKUPS: 's3', ...s3.env };
    const back = await runDeals(['restore', name, '--replace', nameOf()], env);
    expect([back.code, back.err]).toEqual([0, '']);
    expect(await titles()).toEqual(['Then']);
    expect(await readdir(path.join(owner.folder, 'backups'))).toEqual([]);
  });

  it('R40: rejects a truncated, invalid or missing backup file, and keeps the existing data', async () => {
    await insertDeal(database.db, { title: 'Here' });
    await backup();
    const { size } = await stat(file());
    await truncate(file(), size - 50);
    const none = path.join(owner.folder, 'none.backup');
    await writeFile(none, 'hello');
    for (const damaged of [file(), none, path.join(owner.folder, 'missing.backup')]) {
      const said = await deals('restore', damaged, '--replace', nameOf(), '--json');
      expect([damaged, said.code, said.out]).toEqual([damaged, 1, '']);
      expect(said.err).toMatch(/\w/);
      expect(said.err).not.toMatch(/^\s+at /m);
      expect(await titles()).toEqual(['Here']);
    }
  });

  it('R40: reports insufficient space for a backup, and leaves no partial file', async () => {
    const place = path.join(owner.folder, 'not/there/shop.backup');
    const said = await deals('backup', place);
    expect([said.code, said.out]).toEqual([1, '']);
    expect(said.err).toContain('ENOENT');
    expect(await readdir(owner.folder)).not.toContain('not');
    expect(await audited()).toEqual([]);
  });
});

describe('deals import', () => {
  const dealCount = async () =>
    (await database.db.selectFrom('deals').select('id').execute()).length;

  it('imports the samples once their categories exist, and names missing categories', async () => {
    const without = await deals('import', '--samples');
    expect([without.code, await dealCount()]).toEqual([1, 0]);
    expect(without.out.trim().split('\n')).toHaveLength(1 + sampleDeals.length);
    for (const name of new Set(sampleDeals.map(({ categoryName }) => categoryName))) {
      await insertCategory(database.db, { name });
    }
    for (const time of ['first', 'second']) {
      const { code, err } = await deals('import', '--samples');
      expect([time, code, err]).toEqual([time, 0, '']);
      expect(await dealCount()).toBe(sampleDeals.length);
    }
  });

  it('keeps complete batches, and exits with code 130, when interrupted', async () => {
    const file = path.join(owner.folder, 'long.csv');
    const line = (n: number) => `${n},Thing ${n},https://shop.example/${n},9.99,Home\n`;
    const rows = Array.from({ length: 20_000 }, (_, n) => line(n + 1));
    await writeFile(file, `id,title,link,price,product type\n${rows.join('')}`);
    const hasBegun = async () =>
      (await database.db
        .selectFrom('import_runs')
        .select('id')
        .where('rows_done', '>', 0)
        .executeTakeFirst()) !== undefined;
    const words = ['import', file, '--merchant', 'X', '--json'];
    const said = await runDeals(words, owner.env, {
      onStart: (child) =>
        void vi.waitUntil(hasBegun, { timeout: 30_000 }).finally(() => child.kill('SIGINT')),
    });
    expect(said.code).toBe(130);
    expect(said.err).toContain('Stopping after this batch.');
    const report = jsonOf(said) as { state: string; counts: { new: number } };
    expect(report.state).toBe('interrupted');
    expect(report.counts.new).toBeGreaterThan(0);
    expect(await dealCount()).toBe(report.counts.new);
  });
});

describe('deals admin', () => {
  it('rejects a weak password, and creates no account', async () => {
    const env = { ...owner.env, PASSWORD_MIN_LENGTH: '64' };
    // The generated password has 20 characters.
    const said = await runDeals(['admin', 'create', 'owner@shop.example'], env);
    expect([said.code, said.out]).toEqual([1, '']);
    expect(said.err).toMatch(/64/);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('does not list passwords, and finds an account regardless of its email’s letter case', async () => {
    await insertUser(database.db, { email: 'ada@shop.example', role: 'admin', full_name: 'Ada' });
    await insertUser(database.db, { email: 'bob@shop.example' });
    expect((await deals('admin', 'list')).out).toBe('admin        ada@shop.example  Ada\n');
    const ada = database.db.updateTable('users').where('email', '=', 'ada@shop.example');
    await ada.set({ right_set: 'analyst' }).execute();
    expect((await deals('admin', 'list')).out).toBe('Analyst      ada@shop.example  Ada\n');
    await ada.set({ right_set: null }).execute();
    expect((await deals('admin', 'promote', ' ADA@Shop.Example ')).out).toBe(
      'ada@shop.example is super_admin.\n',
    );
  });
});

describe('R39: a database from a newer version', () => {
  it('R39: rejects a database from a newer version in every command that would migrate it', async () => {
    const { pool } = database;
    await pool.query(`insert into kysely_migration values ('9999_later', '2030-01-01')`);
    closings.push(() => pool.query(`delete from kysely_migration where name = '9999_later'`));
    for (const words of [['migrate'], ['admin', 'list'], ['mail', 'retry'], ['seed']]) {
      const said = await deals(...words);
      expect([words[0], said.code, said.out]).toEqual([words[0], 1, '']);
      expect(said.err).toContain('was migrated by a newer version of Deal Hub. Start that version');
      expect(said.err).not.toMatch(/^\s+at /m);
    }
    const { rows } = await pool.query('select count(*)::int as n from deals');
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('deals start', () => {
  it('names the process that uses the site’s port, and the option for another port', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    closings.push(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const said = await runDeals(['start', '--port', String(port)], owner.env);
    expect(said).toEqual({
      code: 1,
      out: '',
      err: `Port ${port} is in use by pid ${process.pid}. Try \`deals start --port ${port + 1}\`.\n`,
    });
  });

  it('reports that HOST is not an address of this server', async () => {
    const said = await runDeals(['start', '--host', '192.0.2.77'], owner.env);
    expect([said.code, said.err]).toEqual([
      1,
      'HOST is 192.0.2.77, which is not an address of this server.\n',
    ]);
  });
});
