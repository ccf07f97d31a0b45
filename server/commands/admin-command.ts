import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import {
  type ChangeRoleResult,
  changeRole,
} from '#app/features/accounts/people/change-role.server.ts';
import { makeResetLink } from '#app/features/accounts/passwords/reset-password.server.ts';
import { makeSetupLink, makeSuperAdmin } from '#app/features/accounts/people/setup-link.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { askHidden } from '#server/commands/ask-hidden.ts';
import { print, printJson, withDatabase } from '#server/commands/with-database.ts';

export const adminCommand = new Command('admin').description('administrators of the site');

adminCommand
  .command('list')
  .description('list the administrators')
  .option('--json', 'print them as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database }) => {
      const admins = await database.db
        .selectFrom('users')
        .select(['email', 'full_name', 'role', 'created_at'])
        .where('role', 'in', ['admin', 'super_admin'])
        .orderBy('email')
        .execute();
      if (options.json) return printJson(admins);
      if (admins.length === 0) return print('There is no administrator yet.');
      for (const { email, role, full_name } of admins)
        print(`${role.padEnd(12)} ${email}  ${full_name}`);
    }),
  );

adminCommand
  .command('create')
  .description('make a new super_admin; asks for the password, or makes one up and prints it')
  .argument('<email>', 'email address of the new account', readAddress)
  .option('--name <name>', 'full name', 'Administrator')
  .option('--json', 'print the result as JSON; the password is made up')
  .action((email: string, options: { name: string; json?: boolean }) =>
    withDatabase(async ({ database, env }) => {
      const typed =
        options.json || !process.stdin.isTTY
          ? ''
          : await askHidden('Password (empty: one is made up): ');
      const password = typed || randomBytes(15).toString('base64url');
      const services = { db: database.db, env };
      const owner = { fullName: options.name, email, password };
      const made = await makeSuperAdmin(services, owner, 'cli');
      if (!made.ok) {
        throw new Error(
          made.reason === 'weak'
            ? describeWeakPassword(made.reasons, env.passwordMinLength)
            : `${email} has an account already. Try \`deals admin promote ${email}\`.`,
        );
      }
      if (options.json) return printJson({ email, role: 'super_admin', password });
      print(`${email} is super_admin.`);
      if (!typed) print(`Password, shown only now: ${password}`);
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
  .description('make an administrator a plain user again; the last super_admin stays')
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
    const user = await findUser(database.db, email);
    const result = await changeRole(database.db, { actor: 'cli', userId: user, role });
    if (!result.ok) throw new Error(whyNot(result, email));
    print(`${email} is ${role}.`);
    if (result.isFirstProof) {
      print(
        'Nobody had verified that address yet, and anybody may have signed up with it: its password and sessions are gone.',
      );
      print(
        `Set a new password within 30 minutes: ${await makeResetLink({ db: database.db, env }, user)}`,
      );
    }
  });
}

async function findUser(db: Db, email: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (!user) throw new Error(`There is no user with the address ${email}.`);
  return user.id;
}

function whyNot(result: Extract<ChangeRoleResult, { ok: false }>, email: string): string {
  return result.reason === 'last-super-admin'
    ? `${email} is the last super_admin. Promote somebody else first.`
    : `The role of ${email} was not changed.`;
}

function readAddress(text: string): string {
  const address = readMailAddress(text)?.toLowerCase();
  if (!address) throw new InvalidArgumentError('That is no email address.');
  return address;
}
