import { plainPage } from '#server/plain-page.ts';

const sentences: Record<number, [title: string, text: string]> = {
  400: [
    'This address cannot be read',
    'Check it for typing mistakes, or start from the home page.',
  ],
  403: [
    'This form was not sent from our own page',
    'Open the page again and repeat the step there. Nothing was changed.',
  ],
  404: ['Page not found', 'There is nothing at this address.'],
  405: ['This cannot be done here', 'The address does not take requests of that kind.'],
  408: ['This took too long to arrive', 'Nothing was changed. Please try again.'],
  413: ['That was too much at once', 'This page takes less than that. Nothing was changed.'],
  414: ['This address is too long', 'Start from the home page.'],
  415: ['This kind of data is not understood', 'Nothing was changed.'],
  421: [
    'This site does not answer to that name',
    'Check the address, or ask the owner of the site.',
  ],
  429: ['Too many attempts', 'Please wait a moment and try again.'],
  500: ['Something went wrong', 'The mistake is ours, and it has been noted. Please try again.'],
  503: [
    'Back in a moment',
    'The site has too much to do or cannot reach its data right now. Please try again shortly.',
  ],
};

/** A page without any outside part, with a safe sentence and the number that finds the log line (R23). */
export function errorPage(status: number, requestId: string): string {
  const [title, text] = sentences[status] ?? sentences[500]!;
  const action = { label: 'Go to the home page', href: '/' };
  return plainPage({ title, text, action, note: `Reference: ${requestId}` });
}
