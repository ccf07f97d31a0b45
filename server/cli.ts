import { Command, CommanderError } from 'commander';
import { adminCommand } from '#server/commands/admin-command.ts';
import { backupCommand, restoreCommand } from '#server/commands/backup-command.ts';
import { doctorCommand } from '#server/commands/doctor-command.ts';
import { jobsCommand } from '#server/commands/jobs-command.ts';
import { mailCommand } from '#server/commands/mail-command.ts';
import { maintenanceCommand } from '#server/commands/maintenance-command.ts';
import { migrateCommand } from '#server/commands/migrate-command.ts';
import { importCommand } from '#server/commands/import-command.ts';
import { seedCommand } from '#server/commands/seed-command.ts';
import { startCommand } from '#server/commands/start-command.ts';
import { loadEnvFile } from '#server/load-env-file.ts';

const examples = `Examples:
  deals start --port 3001          start the site on another port
  deals seed --remove-demo         take the demo shop out again
  deals backup                     write everything into one file
  deals doctor                     check this machine and say how to mend what is wrong
  deals admin create me@shop.com   make the first administrator
`;

const program = new Command('deals')
  .description('Everything the site does, from the command line.')
  .showSuggestionAfterError()
  .showHelpAfterError('(`deals --help` shows what there is)')
  .addHelpText('beforeAll', examples)
  .addCommand(startCommand)
  .addCommand(importCommand)
  .addCommand(migrateCommand)
  .addCommand(seedCommand)
  .addCommand(adminCommand)
  .addCommand(mailCommand)
  .addCommand(jobsCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand)
  .addCommand(maintenanceCommand)
  .addCommand(doctorCommand);

for (const command of [
  program,
  ...program.commands,
  ...adminCommand.commands,
  ...mailCommand.commands,
  ...jobsCommand.commands,
])
  command.exitOverride();

const wrongUsage = 2;

loadEnvFile();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said it all by now.
    process.exit(error.exitCode === 0 ? 0 : wrongUsage);
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
