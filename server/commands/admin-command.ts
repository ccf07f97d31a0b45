import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Command, InvalidArgumentError, Option } from 'commander';
import { describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';
import { loggedRole } from '#app/features/accounts/people/role-choice.ts';
import { setNameOf } from '#app/features/accounts/people/set-rights.server.ts';
import { makeResetLink } from '#app/features/accounts/passwords/reset-password.server.ts';
import { makeSetupLink, makeSuperAdmin } from '#app/features/accounts/people/setup-link.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { print, printAs, withDatabase } from '#server/commands/with-database.ts';

export const adminCommand = new Command('admin').description('administrators of the site');

adminCommand
  .command('list')
  .description('list the administrators')
  .option('--json', 'print them as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database }) => {
      const rows = await database.db
        .selectFrom('users')
        .select(['email', 'full_name', 'role', 'right_set', 'created_at'])
        .select(setNameOf('users').as('set_name'))
        .where('role', 'in', ['admin', 'super_admin'])
        .orderBy('email')
        .execute();
      const admins = rows.map(({ right_set: rightSet, set_name: setName, ...admin }) => ({
        ...admin,
        roleName: loggedRole({ role: admin.role, rightSet, setName }),
      }));
      const lines = admins.map(
        ({ roleName, email, full_name }) => `${roleName.padEnd(12)} ${email}  ${full_name}`,
      );
      printAs(options, admins, lines.join('\n') || 'There is no administrator yet.');
    }),
  );

adminCommand
  .command('create')
  .description('create a new super_admin; asks for the password, or generates one and prints it')
  .argument('<email>', 'email address of the new account', readAddress)
  .option('--name <name>', 'full name', 'Administrator')
  .option('--json', 'print the result as JSON; the password is generated')
  .action((email: string, options: { name: string; json?: boolean }) =>
    withDatabase(async ({ database, env }) => {
      const isAsked = !options.json && process.stdin.isTTY;
      const typed = isAsked ? await askHidden('Password (leave empty to generate one): ') : '';
      const password = typed || randomBytes(15).toString('base64url');
      const owner = { fullName: options.name, email, password };
      const made = await makeSuperAdmin({ db: database.db, env }, owner, 'cli');
      if (!made.ok) {
        throw new Error(
          made.reason === 'weak'
            ? describeWeakPassword(made.reasons, env.passwordMinLength)
            : `${email} has an account already. Try \`deals admin promote ${email}\`.`,
        );
      }
      const shown = typed ? '' : `\nPassword, shown only now: ${password}`;
      const result = { email, role: 'super_admin', password };
      printAs(options, result, `${email} is super_admin.${shown}`);
    }),
  );

adminCommand
  .command('promote')
  .description('give a registered user a higher role')
  .argument('<email>', 'email address of the user', readAddress)
  .addOption(
    new Option('--role <role>', 'the role')
      .choices(['admin', 'super_admin'])
      .default('super_admin'),
  )
  .action((email: string, options: { role: Role }) => giveRole(email, options.role));

adminCommand
  .command('demote')
  .description('make an administrator an ordinary user again; the last super_admin stays')
  .argument('<email>', 'email address of the administrator', readAddress)
  .action((email: string) => giveRole(email, 'user'));

adminCommand
  .command('link')
  .description('print a new one-time setup link, on a site without administrators')
  .action(() =>
    withDatabase(async ({ database, env }) => {
      const link = await makeSetupLink(database.db, env.origin);
      if (!link) throw new Error('There is an administrator already. See `deals admin list`.');
      print(link);
    }),
  );

function giveRole(email: string, role: Role): Promise<void> {
  return withDatabase(async ({ database, env }) => {
    const { db } = database;
    const found = db.selectFrom('users').select('id').where('email', '=', email);
    const user = await found.executeTakeFirst();
    if (!user) throw new Error(`There is no user with the address ${email}.`);
    const result = await changeRole(db, { actor: 'cli', userId: user.id, role });
    if (!result.ok) {
      throw new Error(
        result.reason === 'last-super-admin'
          ? `${email} is the last super_admin. Promote someone else first.`
          : `The role of ${email} was not changed.`,
      );
    }
    print(`${email} is ${role}.`);
    if (!result.isFirstProof) return;
    print(
      `That address was never verified, and anyone may have signed up with it: its password and sessions were deleted. Set a new password within 30 minutes: ${await makeResetLink({ db, env }, user.id)}`,
    );
  });
}

function readAddress(text: string): string {
  const address = readMailAddress(text)?.toLowerCase();
  if (!address) throw new InvalidArgumentError('That is not an email address.');
  return address;
}

/** Prompts on the terminal without echoing the input. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
