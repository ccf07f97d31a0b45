import { plainPage } from '#server/plain-page.ts';

const refusals = {
  400: {
    title: 'This address cannot be read',
    text: 'Check it for typos, or start from the home page.',
  },
  403: {
    title: 'This form was not sent from our own page',
    text: 'Open the page again and retry there. Nothing was changed.',
  },
  404: { title: 'Page not found', text: 'There is nothing at this address.' },
  405: {
    title: 'This isn’t possible here',
    text: 'This address does not accept this kind of request.',
  },
  408: { title: 'This took too long to arrive', text: 'Nothing was changed. Please try again.' },
  413: {
    title: 'The request is too large',
    text: 'Send less at once. Nothing was changed.',
  },
  414: { title: 'This address is too long', text: 'Start from the home page.' },
  415: { title: 'This content type is not supported', text: 'Nothing was changed.' },
  421: {
    title: 'This site does not serve this host name',
    text: 'Check the address, or ask the owner of the site.',
  },
  429: { title: 'Too many attempts', text: 'Please wait a moment and try again.' },
  500: {
    title: 'Something went wrong',
    text: 'The error is on our side and has been logged. Please try again.',
  },
  503: {
    title: 'Back in a moment',
    text: 'The site is too busy or cannot reach its data right now. Please try again shortly.',
  },
};

const words: Readonly<Record<number, { title: string; text: string }>> = refusals;

/**
 * Returns a self-contained page with a safe message and the request id, which identifies the log
 * line.
 */
export function errorPage(status: number, requestId: string): string {
  const action = { label: 'Go to the home page', href: '/' };
  const page = words[status] ?? refusals[500];
  return plainPage({ ...page, action, note: `Reference: ${requestId}` });
}
