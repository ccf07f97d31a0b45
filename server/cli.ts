import { Command } from 'commander';
import { startCommand } from '#server/commands/start-command.ts';
import { loadEnvFile } from '#server/load-env-file.ts';

const program = new Command('deals')
  .description('Everything the site does, from the command line.')
  .showSuggestionAfterError()
  .addHelpText(
    'beforeAll',
    `Examples:
  deals start --port 3001     start the site on another port
`,
  )
  .addCommand(startCommand);

loadEnvFile();
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
