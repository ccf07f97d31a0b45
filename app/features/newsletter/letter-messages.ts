import { countNoun } from '#app/platform/count-noun.ts';
import type { SendProblem } from './newsletter-state.ts';

/** What the back office says of newsletters. */
export const letterMessages = {
  created: 'The newsletter is saved.',
  createFailed: 'The newsletter was not saved',
  updated: 'The newsletter is saved.',
  updateFailed: 'The newsletter was not saved',
  done: 'The newsletter is saved.',
  notFound: 'Newsletter not found',
  goneWhileEdited:
    'Newsletter not found: somebody deleted it in the meantime. What you typed is still here.',
  changedMeanwhile: 'Somebody else saved this newsletter in the meantime.',
  notEditable: 'This newsletter is being sent or was sent: its words cannot be changed any more.',
  contentEmpty: 'Content is required',
  contentTooLong: 'Content must be at most 60 KB',
  confirmDelete: 'Are you sure you want to delete this newsletter?',
  deleted: 'The newsletter is deleted.',
  deleteFailed: 'Only drafts can be deleted.',
  restored: 'The newsletter is back.',
  restoreFailed: 'The newsletter could not be brought back.',
  copied: 'This is a copy, as a new draft.',
  copyFailed: 'The newsletter could not be copied.',
  lookAgain:
    'Somebody changed this newsletter since you opened the page. Look at it again before you send it.',
  alreadyBegun: 'This newsletter is on its way already: nobody gets it twice.',
  sending: (count: number) => `On its way to ${countNoun(count, 'subscriber')}.`,
  paused: 'Paused. Whoever has not got it waits until you go on.',
  notSending: 'It is not being sent at the moment.',
  resumed: 'It goes on.',
  notPaused: 'It is not paused.',
  scheduled: 'Scheduled.',
  unscheduled: 'It is a draft again and will not be sent by itself.',
  notScheduled: 'It is not scheduled any more.',
  timePast: 'Choose a time to come, within a year.',
  tested: (email: string) => `The test is on its way to ${email}.`,
  testRefused: 'Mail to your address was refused.',
  addressMissing: 'Type the address that readers can write to.',
  addressSaved: 'The postal address is saved. It stands in every mail.',
} as const;

/** Why it cannot leave, as a sentence. */
export const problemWords: Record<SendProblem, string> = {
  'no-postal-address':
    'There is no postal address. The law asks for one in mail to many, so nothing is sent before you tell it.',
  'no-mail-server':
    'No mail server is configured, so mails cannot leave this machine. Set SMTP_URL and restart the site.',
  nobody: 'Nobody is in its audience.',
  empty: 'Nothing would be left to read: its deals are gone, and there are no other words.',
  'too-late': 'The site was not running at its time, and it is more than a day late.',
};
