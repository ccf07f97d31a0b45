import { Command } from 'commander';
import { sql } from 'kysely';
import { migrate } from '#database/migrate.ts';
import { print, printJson, withDatabase } from '#server/commands/with-database.ts';

export const adminCommand = new Command('admin').description('administrators of the site');

adminCommand
  .command('list')
  .description('list the administrators')
  .option('--json', 'print them as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database }) => {
      await migrate(database.db);
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
  .command('promote')
  .description('make a registered user super_admin')
  .argument('<email>', 'e-mail address of the user')
  .action((email: string) =>
    withDatabase(async ({ database }) => {
      await migrate(database.db);
      const promoted = await database.db.transaction().execute(async (tx) => {
        const user = await tx
          .selectFrom('users')
          .select(['id', 'role', 'email'])
          .where(sql`lower(email)`, '=', email.trim().toLowerCase())
          .forUpdate()
          .executeTakeFirst();
        if (!user || user.role === 'super_admin') return user ?? null;
        await tx
          .updateTable('users')
          // A new role version ends the sessions that were opened with the old rights.
          .set((eb) => ({
            role: 'super_admin',
            role_version: eb('role_version', '+', 1),
            updated_at: sql<Date>`now()`,
          }))
          .where('id', '=', user.id)
          .execute();
        await tx
          .insertInto('audit_log')
          .values({
            actor: 'cli',
            action: 'user.role',
            entity: 'user',
            entity_id: user.id,
            before: JSON.stringify({ role: user.role }),
            after: JSON.stringify({ role: 'super_admin' }),
          })
          .execute();
        return user;
      });
      if (!promoted) throw new Error(`There is no user with the address ${email}.`);
      print(`${promoted.email} is super_admin.`);
    }),
  );
