import { Command, CommanderError } from 'commander';
import { errorMessage } from '#database/error-code.ts';
import { programVersion } from '#server/program-version.ts';

const examples = `Examples:
  deals start --port 3001          start the site on another port
  deals seed --remove-demo         remove the demo shop
  deals backup                     write everything into one file
  deals doctor                     check this server and suggest fixes
  deals admin create me@shop.com   create the first administrator
`;

/**
 * Commands in the order of the help. Each is loaded on demand, because together they import half
 * the code. If the name is unknown, all are loaded.
 */
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('#server/commands/start-command.ts')).startCommand,
  import: async () => (await import('#server/commands/import-command.ts')).importCommand,
  migrate: async () => (await import('#server/commands/migrate-command.ts')).migrateCommand,
  upgrade: async () => (await import('#server/commands/upgrade-command.ts')).upgradeCommand,
  products: async () => (await import('#server/commands/products-command.ts')).productsCommand,
  seed: async () => (await import('#server/commands/seed-command.ts')).seedCommand,
  admin: async () => (await import('#server/commands/admin-command.ts')).adminCommand,
  mail: async () => (await import('#server/commands/mail-command.ts')).mailCommand,
  jobs: async () => (await import('#server/commands/jobs-command.ts')).jobsCommand,
  backup: async () => (await import('#server/commands/backup-command.ts')).backupCommand,
  restore: async () => (await import('#server/commands/backup-command.ts')).restoreCommand,
  'move-in': async () =>
    new Command('move-in')
      .description('bring along what you have elsewhere')
      .addCommand((await import('#server/commands/move-in-posts-command.ts')).moveInPostsCommand)
      .addCommand(
        (await import('#server/commands/move-in-redirects-command.ts')).moveInRedirectsCommand,
      )
      .addCommand(
        (await import('#server/commands/move-in-subscribers-command.ts')).moveInSubscribersCommand,
      )
      .addCommand(
        (await import('#server/commands/move-in-price-histories-command.ts'))
          .moveInPriceHistoriesCommand,
      ),
  'move-pictures': async () =>
    (await import('#server/commands/move-pictures-command.ts')).movePicturesCommand,
  maintenance: async () =>
    (await import('#server/commands/maintenance-command.ts')).maintenanceCommand,
  database: async () => (await import('#server/commands/database-command.ts')).databaseCommand,
  verify: async () => (await import('#server/commands/verify-command.ts')).verifyCommand,
  witness: async () => (await import('#server/commands/witness-command.ts')).witnessCommand,
  evidence: async () => (await import('#server/commands/evidence-command.ts')).evidenceCommand,
  extension: async () => (await import('#server/commands/extension-command.ts')).extensionCommand,
  doctor: async () => (await import('#server/commands/doctor-command.ts')).doctorCommand,
};

/**
 * Runs one command line and returns its exit code, or null if the process should end by itself.
 */
export async function runCommandLine(words: readonly string[]): Promise<number | null> {
  const program = await loadProgram(words[0] ?? '');
  try {
    await program.parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    // Commander has already printed everything.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    process.stderr.write(`${errorMessage(error)}\n`);
    return 1;
  }
}

const wrongUsage = 2;
const versionFlags = ['-v', '--version'];

async function loadProgram(asked: string): Promise<Command> {
  const asksVersion = versionFlags.includes(asked);
  const program = new Command('deals')
    .description('Everything the site does, from the command line.')
    .version(asksVersion ? programVersion() : '', versionFlags.join(', '), 'print the version')
    .showSuggestionAfterError()
    .showHelpAfterError('(`deals --help` lists all commands)')
    .addHelpText('beforeAll', examples);
  const others = asksVersion ? [] : Object.keys(commands);
  for (const name of Object.hasOwn(commands, asked) ? [asked] : others) {
    const command = await commands[name]?.();
    if (command) program.addCommand(command);
  }
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.exitOverride();
  }
  return program.exitOverride();
}
