import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { jsonOf, runDeals, useOwner } from '#test/run-deals.ts';
import { testServices } from '#test/services.ts';
import { givePassword } from '#test/staff.ts';
import { checkPassword } from '#app/features/accounts/passwords/check-password.server.ts';
import { resetPassword } from '#app/features/accounts/passwords/reset-password.server.ts';

const database = useTestDatabase();
const owner = useOwner(database);
const { deals } = owner;

describe('the command line', () => {
  it('prints a description of the command line and of every command', async () => {
    const [whole, admin, feed] = await Promise.all([
      deals('--help'),
      deals('admin', '--help'),
      deals('import', '--help'),
    ]);
    expect([whole.code, admin.code, feed.code]).toEqual([0, 0, 0]);
    for (const command of [
      'start',
      'import',
      'migrate',
      'seed',
      'admin',
      'mail',
      'jobs',
      'doctor',
    ]) {
      expect(whole.out).toMatch(new RegExp(`^  ${command} .*\\w`, 'm'));
    }
    expect(whole.out).toContain('Examples:');
    expect(admin.out).toMatch(/list[\s\S]*create[\s\S]*promote[\s\S]*demote[\s\S]*link/);
    expect(feed.out).toContain('Exit code: 0 when the whole feed was read');
  });

  it.each([
    [['sead'], "unknown command 'sead'", 'Did you mean seed?'],
    [['seed', '--profil', 'demo'], "unknown option '--profil'", 'Did you mean --profile?'],
    [['admin', 'creat', 'a@shop.example'], "unknown command 'creat'", 'Did you mean create?'],
  ])('exits with code 2 and a suggestion for the typo %j', async (words, mistake, suggestion) => {
    const said = await deals(...words);
    expect(said.code).toBe(2);
    expect(said.err).toContain(mistake);
    expect(said.err).toContain(suggestion);
    expect(said.out).toBe('');
  });

  it('exits with code 2 and an explanation for invalid values, and changes nothing', async () => {
    const said = await Promise.all([
      deals('seed', '--profile', 'huge'),
      deals('import', 'feed.csv'),
      deals('import', 'feed.csv', '--merchant', 'X', '--limit', 'some'),
      deals('import', 'feed.csv', '--merchant', 'X', '--map', 'nonsense'),
      deals('admin', 'create', 'no-address'),
      deals('mail', 'list', '--state', 'lost'),
    ]);
    expect(said.map(({ code }) => code)).toEqual(said.map(() => 2));
    expect(said.map(({ out }) => out).join('')).toBe('');
    const sentences = [
      'Allowed choices are demo, minimal.',
      "required option '--merchant <name>' not specified",
      'A positive integer.',
      'nonsense',
      'That is not an email address.',
      'Allowed choices are',
    ];
    for (const [index, sentence] of sentences.entries())
      expect(said[index]?.err).toContain(sentence);
  });

  it('exits with code 1 for invalid settings, and names each of them', async () => {
    const said = await runDeals(['migrate'], { DATABASE_URL: 'mysql://x', DATA_DIR: owner.folder });
    expect(said.code).toBe(1);
    expect(said.err).toContain('DATABASE_URL');
    const port = await deals('start', '--port', 'abc');
    expect(port.code).toBe(1);
    expect(port.err).toContain('PORT is "abc"');
  });

  it('exits with code 1 and without a stack trace if the database is unreachable', async () => {
    const said = await runDeals(['admin', 'list'], {
      DATABASE_URL: 'postgres://nobody:hush-hush-7@127.0.0.1:1/none',
      DATA_DIR: owner.folder,
    });
    expect(said.code).toBe(1);
    expect(said.err).not.toMatch(/^\s+at /m);
    expect(said.err).not.toContain('secret');
    expect(said.err.trim()).not.toBe('');
  });
});

describe('deals migrate', () => {
  it('reports that there is nothing to migrate, as text or JSON', async () => {
    const [words, json] = await Promise.all([deals('migrate'), deals('migrate', '--json')]);
    expect(words).toMatchObject({ code: 0, out: 'Nothing to do: the database is up to date.\n' });
    expect(jsonOf(json)).toEqual({ migrations: [] });
  });
});

describe('deals admin', () => {
  it('creates the first administrator, and shows the password once', async () => {
    expect((await deals('admin', 'list')).out).toBe('There is no administrator yet.\n');
    const made = await deals('admin', 'create', 'Owner@Shop.Example', '--name', 'The Owner');
    expect(made.code).toBe(0);
    expect(made.out).toMatch(
      /^owner@shop\.example is super_admin\.\nPassword, shown only now: [\w-]{20}\n$/,
    );
    const [list, json] = await Promise.all([
      deals('admin', 'list'),
      deals('admin', 'list', '--json'),
    ]);
    expect(list.out).toBe('super_admin  owner@shop.example  The Owner\n');
    expect(jsonOf(json)).toMatchObject([{ email: 'owner@shop.example', role: 'super_admin' }]);
    expect(json.out).not.toMatch(/password|hash|secret/i);

    const again = await deals('admin', 'create', 'owner@shop.example');
    expect(again.code).toBe(1);
    expect(again.err).toContain('Try `deals admin promote owner@shop.example`.');
  });

  // Proves R59: proved addresses (app/features/accounts/people/erase-account.server.ts)
  it('R59: verifies an unverified email, resets the account, and prints the next steps', async () => {
    const { id } = await insertUser(database.db, {
      email: 'planted@shop.example',
      email_verified: false,
    });
    await givePassword(database, id);
    const { code, out } = await deals('admin', 'promote', 'planted@shop.example');
    expect(code).toBe(0);
    expect(out).toMatch(/^planted@shop\.example is super_admin\.\nThat address was never verified/);
    const token = /\/reset-password\?token=([\w-]{43})\n$/.exec(out)?.[1] ?? '';
    const left = await database.db.selectFrom('accounts').select('id').execute();
    expect(left).toEqual([]);
    const services = testServices(database);
    const password = 'rowing over lakes';
    expect(await resetPassword(services, { token, password })).toEqual({ ok: true });
    const entered = await checkPassword(services, 'planted@shop.example', password);
    expect(entered).toEqual({ ok: true, userId: id });
  });

  it("R02: grants and revokes roles, but not the last super_admin's", async () => {
    await insertUser(database.db, { email: 'first@shop.example', role: 'super_admin' });
    await insertUser(database.db, { email: 'second@shop.example' });
    const demoted = await deals('admin', 'demote', 'first@shop.example');
    expect(demoted.code).toBe(1);
    expect(demoted.err).toContain('is the last super_admin. Promote someone else first.');

    const promoted = await deals('admin', 'promote', 'second@shop.example', '--role', 'admin');
    expect(promoted).toMatchObject({ code: 0, out: 'second@shop.example is admin.\n' });
    expect(await deals('admin', 'demote', 'SECOND@shop.example')).toMatchObject({
      code: 0,
      out: 'second@shop.example is user.\n',
    });
    const unknown = await deals('admin', 'promote', 'nobody@shop.example');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no user with the address nobody@shop.example.');
    const audit = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(audit.length).toBeGreaterThanOrEqual(2);
  });

  // Proves R33: no default account (setup-link.server.ts)
  it('R33: prints a setup link only while there is no administrator', async () => {
    const link = await deals('admin', 'link');
    expect(link.code).toBe(0);
    expect(link.out).toMatch(/^https:\/\/deals\.test\/setup\S+\n$/);
    await insertUser(database.db, { role: 'super_admin' });
    const late = await deals('admin', 'link');
    expect(late.code).toBe(1);
    expect(late.err).toContain('There is an administrator already.');
    expect(late.out).toBe('');
  });
});

describe('deals seed', () => {
  it('adds the sample data once, with its pictures in the data folder', async () => {
    const first = await deals('seed', '--profile', 'minimal');
    expect(first.code).toBe(0);
    const { rows } = await database.pool.query(
      'select (select count(*) from categories) as categories, (select count(*) from merchants) as merchants, (select count(*) from deals) as deals',
    );
    expect(rows[0]).toEqual({ categories: 6, merchants: 3, deals: 2 });
    const again = await deals('seed', '--profile', 'minimal', '--json');
    expect(again.code).toBe(0);
    expect(jsonOf(again)).toHaveProperty('message');
    const after = await database.pool.query('select count(*) as deals from deals');
    expect(after.rows[0]).toEqual({ deals: 2 });
  });

  it('removes nothing from a site without the demo shop', async () => {
    const said = await deals('seed', '--remove-demo', '--json');
    expect(said.code).toBe(0);
    expect(jsonOf(said)).toMatchObject({ deals: 0, merchants: 0, categories: 0, posts: 0 });
  });
});

describe('deals import', () => {
  const list =
    'id,name,now,was,link\n1,Lamp,19.99,39.99,https://shop.example/1\n2,Desk,bad,,https://shop.example/2\n';
  const mapping = ['--map', 'title=name', '--map', 'sale_price=now', '--map', 'original_price=was'];

  it('previews an import without storing anything, then imports it, then finds nothing new', async () => {
    const file = path.join(owner.folder, 'list.csv');
    await writeFile(file, list);
    const words = [
      'import',
      file,
      '--merchant',
      'Lamp House',
      '--category',
      'Lighting',
      ...mapping,
    ];
    const dry = await deals(...words, '--dry-run');
    expect(dry.out + dry.err).toMatch(/Dry run done: nothing was stored\./);
    const empty = await database.pool.query('select count(*) as n from deals');
    expect(empty.rows[0]).toEqual({ n: 0 });

    const real = await deals(...words, '--json');
    expect(real.code).toBe(0);
    expect(jsonOf(real)).toMatchObject({ state: 'done', counts: { new: 1, rejected: 1 } });
    const again = await deals(...words);
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/new +0\n +changed +0\n +unchanged +1\n/);
  });

  it('exits with code 1 for a missing feed file, and reports it as text or JSON', async () => {
    const words = ['import', path.join(owner.folder, 'missing.csv'), '--merchant', 'X'];
    // Runs the imports one after the other, because concurrent imports are rejected.
    const plain = await deals(...words);
    const json = await deals(...words, '--json');
    expect([plain.code, json.code]).toEqual([1, 1]);
    expect(plain.out).toContain('Import failed');
    expect(`${plain.out}${plain.err}`).not.toMatch(/^\s+at /m);
    expect(jsonOf(json)).toMatchObject({ state: 'failed' });
  });

  it("imports prices in the site's currency from its settings, and rejects another currency", async () => {
    await writeSiteSetting(database.db, 'currency', 'EUR', 'test');
    const file = path.join(owner.folder, 'currency.csv');
    await writeFile(
      file,
      'id,title,link,price\n1,Cup,https://x.example/1,5 USD\n2,Pot,https://x.example/2,5\n',
    );
    const words = ['import', file, '--merchant', 'Cups'];
    const told = await deals(...words, '--currency', 'usd');
    expect(told).toMatchObject({ code: 1, out: '' });
    expect(told.err).toContain('This site’s currency is EUR, so prices in others are rejected.');
    const report = await deals(...words, '--json');
    expect(jsonOf(report)).toMatchObject({
      counts: { new: 1, rejected: 1 },
      issues: [{ reason: "price is in USD, but this site's currency is EUR" }],
    });
  });

  it('reads a feed with a mapping file, and explains an invalid one', async () => {
    const [file, good, broken] = ['odd.csv', 'odd.json', 'broken.json'].map((name) =>
      path.join(owner.folder, name),
    ) as [string, string, string];
    await writeFile(file, 'wo;wieviel;was\n/1;5;Cup\n');
    const fields = { title: ['was'], deal_url: ['{shop}{wo}'], sale_price: ['wieviel'] };
    await writeFile(good, JSON.stringify({ label: 'Odd', shape: 'table', fields }));
    await writeFile(broken, '{"label":"Odd"}');
    const words = [
      'import',
      file,
      '--merchant',
      'Odd',
      '--shop',
      'https://odd.example',
      '--mapping',
    ];
    const refused = await deals(...words, broken);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('This is not a mapping file');
    expect(jsonOf(await deals(...words, good, '--json'))).toMatchObject({ counts: { new: 1 } });
    const { rows } = await database.pool.query('select deal_url from deals');
    expect(rows).toEqual([{ deal_url: 'https://odd.example/1' }]);
  });

  it('R29: does not fetch a feed from a private network without `--allow-private`', async () => {
    const said = await deals('import', 'http://127.0.0.1:9/feed.xml', '--merchant', 'X', '--json');
    expect(said.code).toBe(1);
    expect(jsonOf(said)).toMatchObject({ state: 'failed', error: expect.stringMatching(/\w/) });
  });
});

describe('deals mail', () => {
  const queue = (key: string, to: string) =>
    queueMail(database.db, { key, kind: 'test', to, props: { askedAt: 'noon' } });

  it('reports that there are no emails', async () => {
    const [list, retry] = await Promise.all([deals('mail', 'list'), deals('mail', 'retry')]);
    expect(list).toMatchObject({ code: 0, out: 'There are no emails.\n' });
    expect(retry).toMatchObject({
      code: 0,
      out: 'No email has failed, so there is nothing to send again.\n',
    });
  });

  it('lists emails newest first, filtered by state, and as JSON', async () => {
    await queue('a', 'ada@mail.example');
    await queue('b', 'bob@mail.example');
    const [list, one, none, json] = await Promise.all([
      deals('mail', 'list'),
      deals('mail', 'list', '--limit', '1'),
      deals('mail', 'list', '--state', 'sent'),
      deals('mail', 'list', '--json'),
    ]);
    expect(list.out).toMatch(/^ +2 +queued +test +bob@mail\.example.*\n +1 +queued +test +ada@/);
    expect(one.out.trim().split('\n')).toHaveLength(1);
    expect(none.out).toBe('There are no emails.\n');
    expect(jsonOf(json)).toMatchObject([{ id: 2, state: 'queued' }, { id: 1 }]);
  });

  it('exits with code 1 for a missing email', async () => {
    const said = await deals('mail', 'show', '77');
    expect(said).toMatchObject({ code: 1, out: '', err: 'There is no email 77.\n' });
  });

  it('rejects an invalid address for a test email', async () => {
    const said = await deals('mail', 'test', 'Ada <ada@mail.example>');
    expect(said.code).toBe(1);
    expect(said.err).toContain('is not one plain email address.');
    expect((await deals('mail', 'list')).out).toBe('There are no emails.\n');
  });
});

describe('deals doctor', () => {
  it('lists each check result with its state, as text or JSON', async () => {
    const [words, json] = await Promise.all([deals('doctor'), deals('doctor', '--json')]);
    const results = jsonOf(json) as { state: string; name: string; says: string }[];
    expect(results.length).toBeGreaterThan(4);
    for (const { state, name, says } of results) {
      expect(['ok', 'warning', 'problem']).toContain(state);
      expect(`${name}${says}`).toMatch(/\w/);
    }
    const hasProblem = results.some(({ state }) => state === 'problem');
    expect(json.code).toBe(hasProblem ? 1 : 0);
    expect(words.out).toMatch(/^(?:ok {2}|note|FAIL) {2}\w/m);
    expect(words.out.match(/^(?:ok {2}|note|FAIL) {2}/gm)).toHaveLength(results.length);
  });

  it('exits with code 1 and suggests a fix if the database is unreachable', async () => {
    const said = await runDeals(['doctor', '--json'], {
      DATABASE_URL: 'postgres://nobody:hush-hush-7@127.0.0.1:1/none',
      DATA_DIR: owner.folder,
    });
    expect(said.code).toBe(1);
    const results = jsonOf(said) as { state: string; mend?: string }[];
    expect(results.some(({ state, mend }) => state === 'problem' && mend)).toBe(true);
    expect(said.out).not.toContain('hush-hush-7');
  });
});
