import { Command, Option } from 'commander';
import {
  advanceSubscriberMove,
  type MoveChoices,
  moveSubscribers,
  startSubscriberMove,
} from '#app/features/moved-subscribers/run-subscriber-move.server.ts';
import { stageSubscribers } from '#app/features/moved-subscribers/stage-subscribers.server.ts';
import {
  countOutcomes,
  findSubscriberMove,
} from '#app/features/moved-subscribers/subscriber-move-queries.server.ts';
import { describeOutcome, outcomes } from '#app/features/moved-subscribers/subscriber-outcomes.ts';
import type { Db } from '#database/connect.ts';
import { readMoveFile } from '#server/commands/read-move-file.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

interface Options {
  rehearse?: boolean;
  source?: string;
  stateConsent?: boolean;
  blankStatus?: MoveChoices['blank_state'];
  email?: string;
}

/** `deals move-in subscribers`. */
export const moveInSubscribersCommand = new Command('subscribers')
  .description('move in subscribers from a CSV of Mailchimp, MailPoet, Brevo, listmonk or others')
  .argument('<file>', 'the CSV file; also as gzip')
  .option('--rehearse', 'only count what would be added and left out')
  .option('--source <text>', 'where these people signed up; stored with each subscription')
  .option('--state-consent', 'state that rows without a date of consent signed up at --source')
  .addOption(
    new Option('--blank-status <status>', 'the status of rows without one, else left out').choices([
      'subscribed',
      'unsubscribed',
      'bounced',
    ]),
  )
  .option('--email <column>', 'the column of addresses, if it is not found')
  .addHelpText(
    'after',
    `
Exit code: 0 when everything was read, 1 when the file can't be read. Running again is always safe: an
interrupted move is completed, and the same file changes nothing. The admin can undo a move.`,
  )
  .action(async (file: string, options: Options, command: Command) => {
    if (options.stateConsent && !options.source?.trim())
      command.error('error: --state-consent needs --source');
    process.exitCode = await withDatabase(
      ({ database: { db } }) => moveInSubscribers(db, file, options),
      { statementTimeout: 60_000 },
    );
  });

/** Imports a file, or counts its rows in a dry run. Returns the exit code. */
export function moveInSubscribers(
  db: Db,
  file: string,
  { rehearse = false, source = '', stateConsent = false, blankStatus = null, email }: Options,
): Promise<number> {
  return readMoveFile(file, async (stream, about) => {
    if (!rehearse) await moveSubscribers(db);
    const reading = { ...about, actor: 'cli', choices: { email }, now: new Date() };
    const id = await stageSubscribers(db, stream, reading);
    const choices = {
      source: source.trim().slice(0, 300),
      states_consent: stateConsent,
      blank_state: blankStatus,
    };
    if (!rehearse) {
      await startSubscriberMove(db, id, { ...choices, actor: 'cli' });
      await advanceSubscriberMove(db, id);
    }
    const move = await findSubscriberMove(db, id);
    const counts = move ? await countOutcomes(db, { ...move, ...choices }) : {};
    for (const outcome of outcomes) {
      const count = counts[outcome];
      if (count) print(`${String(count).padStart(8)}  ${describeOutcome(outcome)}`);
    }
    if (rehearse) await db.deleteFrom('subscriber_moves').where('id', '=', id).execute();
  });
}
