import { Command } from 'commander';
import { changeEvidenceKey } from '#app/features/evidence/evidence-key.server.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const evidenceCommand = new Command('evidence').description('the sealed price log');

evidenceCommand
  .command('change-key')
  .description('sign the next days with a new key; the old key signs the change')
  .option('--json', 'print the keys as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database: { db } }) => {
      const keys = await changeEvidenceKey(db, { actor: 'cli', now: new Date() });
      const words = `The next days are signed with the key ${keys.next}. Both keys signed the change from ${keys.old}.`;
      printAs(options, keys, words);
    }),
  );
