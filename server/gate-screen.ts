import { describeProblem, isApiPath, problemType } from '#app/platform/api-problem.ts';
import type { GateScreen } from '#server/gate.ts';
import { plainPage, plainPagePolicy, type PlainPage } from '#server/plain-page.ts';
import { strictPolicy } from '#server/security-headers.ts';

export interface GateDocument {
  type: string;
  policy: string;
  text: string;
}

interface Asked {
  pathname: string;
  accept: string | undefined;
  origin: string;
  reference: string;
}

/** What somebody reads who is not let in: a page for people, for programs the same words in a form they can read. */
export function gateScreen(
  screen: GateScreen,
  words: { siteName: string; gateName: string; message: string },
  asked: Asked,
): GateDocument {
  const page = pages[screen](words);
  const { pathname, accept = '*/*' } = asked;
  if (isApiPath(pathname)) {
    const { origin, reference } = asked;
    const text = describeProblem(503, { origin, reference }, { detail: page.text });
    return { type: problemType, policy: strictPolicy, text };
  }
  const wantsJson = accept.includes('json') && !accept.includes('text/html');
  if (wantsJson || /^\/api\/|\.(?:data|json)$/.test(pathname)) {
    const text = `${JSON.stringify({ error: page.title, message: page.text })}\n`;
    return { type: 'application/json', policy: strictPolicy, text };
  }
  if (/\.(?:xml|txt|webmanifest)$/.test(pathname) || !/text\/html|\*\/\*/.test(accept)) {
    const text = `${page.title}. ${page.text}\n`;
    return { type: 'text/plain; charset=utf-8', policy: strictPolicy, text };
  }
  return { type: 'text/html; charset=utf-8', policy: plainPagePolicy, text: plainPage(page) };
}

const tryAgain = { label: 'Try Again', href: '' };

const pages: Record<
  GateScreen,
  (words: { siteName: string; gateName: string; message: string }) => PlainPage
> = {
  maintenance: ({ siteName, message }) => ({
    title: 'Under maintenance',
    text: message,
    kicker: siteName,
    action: tryAgain,
    note: { label: 'Sign in as an administrator', href: '/sign-in' },
  }),
  // Says nothing of what stands behind it, the name included.
  'coming-soon': ({ gateName }) => ({
    title: 'Coming Soon',
    text: 'We are working on something new. Please come back later.',
    kicker: gateName,
  }),
  unverified: () => ({
    title: 'Access Verification Failed',
    text: 'Unable to verify IP address',
    action: tryAgain,
  }),
};
