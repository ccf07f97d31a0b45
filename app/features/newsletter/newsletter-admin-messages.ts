import { countNoun } from '#app/platform/count-noun.ts';
import type { SendProblem } from './newsletter-state.ts';

/** Messages of newsletters in the admin. */
export const newsletterAdminMessages = {
  created: 'Newsletter saved',
  createFailed: 'The newsletter was not saved',
  updated: 'Newsletter saved',
  updateFailed: 'The newsletter was not saved',
  done: 'Newsletter saved',
  notFound: 'Newsletter not found',
  goneWhileEdited:
    'Newsletter not found: someone deleted it in the meantime. What you typed is still here.',
  changedMeanwhile: 'Someone else saved this newsletter in the meantime.',
  notEditable: 'This newsletter is being sent or was sent, so you can no longer change it.',
  contentEmpty: 'Content is required',
  contentTooLong: 'Content must be at most 60 KB',
  confirmDelete: 'Are you sure you want to delete this newsletter?',
  deleted: 'Newsletter deleted',
  deleteFailed: 'Only drafts can be deleted.',
  restored: 'The newsletter was restored.',
  restoreFailed: 'The newsletter could not be restored.',
  copied: 'Newsletter duplicated as a new draft',
  copyFailed: 'The newsletter could not be duplicated.',
  lookAgain:
    'Someone changed this newsletter since you opened the page. Check it again before you send it.',
  alreadyBegun: 'This newsletter is already being sent, and each subscriber gets it only once.',
  sending: (count: number) => `Sending to ${countNoun(count, 'subscriber')}.`,
  paused: 'Paused. The remaining subscribers wait until you resume.',
  notSending: 'This newsletter is not being sent at the moment.',
  resumed: 'Sending resumed.',
  notPaused: 'This newsletter is not paused.',
  scheduled: 'Scheduled.',
  unscheduled: 'The newsletter is a draft again and will not be sent automatically.',
  notScheduled: 'This newsletter is no longer scheduled.',
  chosen: (variant: 'a' | 'b') => `The rest gets subject ${variant.toUpperCase()}.`,
  alreadyChosen: 'The subject for the rest was already chosen.',
  notTested: 'The subjects are still being tested, or there is no test.',
  sameVariant: 'The second subject or preview line must differ from the first.',
  noSuchList: 'Choose a list that is in use.',
  timePast: 'Choose a future time within a year.',
  tested: (email: string) => `The test is on its way to ${email}.`,
  testRefused: 'Your address rejected the email.',
  addressMissing: 'Enter the postal address that readers can write to.',
  addressSaved: 'The postal address is saved and included in every email.',
} as const;

/** Reasons why a newsletter cannot be sent, as sentences. */
export const problemWords: Record<SendProblem, string> = {
  'no-postal-address':
    'There is no postal address. The law requires one in newsletters, so no newsletter is sent without one.',
  'no-mail-server':
    'No email server is configured, so emails cannot be sent. Set one up in the settings.',
  'list-retired': 'Its list was retired. Choose another list.',
  nobody: 'No subscribers match.',
  empty: 'The newsletter would be empty, because its deals are gone and there is no other text.',
  'too-late': 'The site was not running at the scheduled time, and it is now more than a day late.',
};
