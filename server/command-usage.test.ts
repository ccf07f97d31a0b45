import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { adminCommand } from '#server/commands/admin-command.ts';
import { backupCommand, restoreCommand } from '#server/commands/backup-command.ts';
import { doctorCommand } from '#server/commands/doctor-command.ts';
import { evidenceCommand } from '#server/commands/evidence-command.ts';
import { extensionCommand } from '#server/commands/extension-command.ts';
import { importCommand } from '#server/commands/import-command.ts';
import { jobsCommand } from '#server/commands/jobs-command.ts';
import { mailCommand } from '#server/commands/mail-command.ts';
import { maintenanceCommand } from '#server/commands/maintenance-command.ts';
import { migrateCommand } from '#server/commands/migrate-command.ts';
import { productsCommand } from '#server/commands/products-command.ts';
import { seedCommand } from '#server/commands/seed-command.ts';
import { startCommand } from '#server/commands/start-command.ts';
import { upgradeCommand } from '#server/commands/upgrade-command.ts';
import { verifyCommand } from '#server/commands/verify-command.ts';
import { witnessCommand } from '#server/commands/witness-command.ts';
import { programVersion } from '#server/program-version.ts';
import { useTestDatabase } from '#test/database.ts';
import { runDeals, type Said, useOwner } from '#test/run-deals.ts';

const database = useTestDatabase();
const owner = useOwner(database);

const commands = [
  adminCommand,
  backupCommand,
  doctorCommand,
  evidenceCommand,
  extensionCommand,
  importCommand,
  jobsCommand,
  mailCommand,
  maintenanceCommand,
  migrateCommand,
  productsCommand,
  restoreCommand,
  seedCommand,
  startCommand,
  upgradeCommand,
  verifyCommand,
  witnessCommand,
];

/** Runs only a few commands at a time, because each is a process. */
async function runAll(words: readonly string[][]): Promise<Said[]> {
  const said: Said[] = [];
  const waiting = [...words.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      said[next[0]] = await owner.deals(...next[1]);
    }
  };
  await Promise.all([work(), work(), work()]);
  return said;
}

describe('the help', () => {
  it('describes every command, argument and option in the help', () => {
    const explain = (command: Command, before = 'deals') => {
      const name = `${before} ${command.name()}`;
      expect([name, command.description()]).toEqual([name, expect.stringMatching(/\w{3,}/)]);
      for (const { flags, description } of command.options) {
        expect([name, flags, description]).toEqual([name, flags, expect.stringMatching(/\w{3,}/)]);
      }
      for (const argument of command.registeredArguments) {
        const { description } = argument;
        expect([name, argument.name(), description]).toEqual([
          name,
          argument.name(),
          expect.stringMatching(/\w{3,}/),
        ]);
      }
      for (const inner of command.commands) explain(inner, name);
    };
    for (const command of commands) explain(command);
  });

  it('prints the help for every command and subcommand, with exit code 0', async () => {
    const words = commands.flatMap((command) => [
      [command.name(), '--help'],
      ...command.commands.slice(0, 1).map((inner) => [command.name(), inner.name(), '--help']),
    ]);
    for (const [index, { code, out, err }] of (await runAll(words)).entries()) {
      const asked = words[index]?.slice(0, -1).join(' ');
      expect([asked, code, err]).toEqual([asked, 0, '']);
      expect(out).toContain(`Usage: deals ${asked}`);
    }
    const whole = await owner.deals('--help');
    for (const command of commands)
      expect(whole.out).toMatch(new RegExp(`^  ${command.name()}\\b`, 'm'));
  });
});

describe('the version', () => {
  it('prints the version with its commit, without loading any command', async () => {
    const [long, short] = await runAll([['--version'], ['-v']]);
    expect(long).toMatchObject({ code: 0, err: '' });
    expect(long?.out).toMatch(/^\d+\.\d+\.\d+(?: \([0-9a-f]{8}\))?\n$/);
    expect(short).toEqual(long);
  });

  it('reads the commit of a release from its package.json, and omits it elsewhere', async () => {
    const file = path.join(owner.folder, 'package.json');
    await writeFile(file, '{"version":"1.2.3"}');
    expect(programVersion(owner.folder)).toBe('1.2.3');
    await writeFile(file, `{"version":"1.2.3","gitHead":"${'0123456789'.repeat(4)}"}`);
    expect(programVersion(owner.folder)).toBe('1.2.3 (01234567)');
  });
});

describe('incorrect usage', () => {
  // Command lines, each with a part of the expected message.
  const wrong: [string, RegExp][] = [
    ['', /Usage: deals/],
    ['start --port', /argument missing/],
    ['start now', /too many arguments/],
    ['migrate all', /too many arguments/],
    ['migrate --force', /unknown option '--force'/],
    ['seed demo', /too many arguments/],
    ['seed --profile', /argument missing/],
    ['admin', /Usage: deals admin/],
    ['admin create', /missing required argument 'email'/],
    ['admin create a@b.example c@d.example', /too many arguments/],
    ['admin promote a@b.example --role owner', /Allowed choices are admin, super_admin/],
    ['admin promote a@b', /That is not an email address/],
    ['admin demote', /missing required argument 'email'/],
    ['admin link please', /too many arguments/],
    ['mail', /Usage: deals mail/],
    ['mail show', /missing required argument 'id'/],
    ['mail show 0', /A positive integer/],
    ['mail show 1.5', /A positive integer/],
    ['mail retry all', /A positive integer/],
    ['mail list --limit 0', /A positive integer/],
    ['mail test', /missing required argument 'email'/],
    ['jobs run', /missing required argument 'name'/],
    ['jobs stop', /too many arguments|unknown command/],
    ['backup a b', /too many arguments/],
    ['restore', /missing required argument 'file'/],
    ['restore a --replace', /argument missing/],
    ['maintenance maybe', /Allowed choices are on, off/],
    ['doctor --xml', /unknown option '--xml'/],
    ['extension', /Usage: deals extension/],
    ['extension build --origin https://a.example/x', /without a path/],
    ['import', /name a file or an address, or --samples/],
    ['import a.csv --merchant X --currency dollars', /A code of three letters/],
    ['import a.csv --merchant X --format xls', /Allowed choices are auto/],
    ['import a.csv --merchant X --max-size -3', /A positive integer/],
    ['import a.csv b.csv --merchant X', /too many arguments/],
  ];

  it('exits with code 2 and a message on stderr if any command is misused, and changes nothing', async () => {
    const typed = wrong.map(([line]) => line.split(' ').filter(Boolean));
    // An attempt to connect to the database would fail with exit code 1.
    const said = await runAll(typed);
    for (const [index, [line, words]] of wrong.entries()) {
      const { code, out, err } = said[index] ?? { code: null, out: '', err: '' };
      expect([line, code, out]).toEqual([line, 2, '']);
      expect([line, err]).toEqual([line, expect.stringMatching(words)]);
      expect([line, /^\s+at /m.test(err)]).toEqual([line, false]);
    }
    const { rows } = await database.pool.query('select count(*)::int as n from audit_log');
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('settings', () => {
  it('reads settings from .env in the current folder, and prefers the environment', async () => {
    const lines = ['PORT=99999', 'SEED=lots', `DATABASE_URL=${database.url}`];
    await writeFile(path.join(owner.folder, '.env'), `${lines.join('\n')}\n`);
    const there = { cwd: owner.folder };
    const wrong = await runDeals(['migrate'], {}, there);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('PORT is "99999"');
    expect(wrong.err).toContain('SEED is "lots"');
    const right = await runDeals(['migrate', '--json'], { PORT: '3000', SEED: 'none' }, there);
    expect(right).toEqual({ code: 0, out: '{\n  "migrations": []\n}\n', err: '' });
    await appendFile(path.join(owner.folder, '.env'), 'SMPT_URL=smtp://mail.example\n');
    const results = JSON.parse(
      (await runDeals(['doctor', '--json'], { PORT: '3000', SEED: 'none' }, there)).out,
    );
    expect(results).toContainEqual({
      name: 'configuration',
      state: 'warning',
      says: '.env sets SMPT_URL, which is not a setting. Did you mean SMTP_URL?',
      mend: 'Correct or remove these lines of .env.',
    });
  });
});
