import { describeProblem, isApiPath, problemType } from '#app/platform/api-problem.ts';
import type { Gate, GateScreen } from '#server/gate.ts';
import { connectionClose, send } from '#server/plain-answers.ts';
import { plainPage, plainPagePolicy, type PlainPage } from '#server/plain-page.ts';
import { strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

type Words = Gate['words'];

/** Sends a page to locked-out visitors, and the same message to API clients in their format. */
export function sendGateScreen(visit: Visit, screen: GateScreen, words: Words): true {
  const [type, text, policy = strictPolicy] = screenFor(visit, pages[screen](words));
  return send(visit, 503, type, text, {
    'content-security-policy': policy,
    'retry-after': '600',
    ...(!visit.request.complete && connectionClose),
  });
}

function screenFor(
  { site, request, pathname, id }: Visit,
  page: PlainPage,
): [type: string, text: string, policy?: string] {
  const { accept = '*/*' } = request.headers;
  if (isApiPath(pathname)) {
    const asked = { origin: site.services.env.origin, reference: id };
    return [problemType, describeProblem(503, asked, { detail: page.text })];
  }
  const wantsJson = accept.includes('json') && !accept.includes('text/html');
  if (wantsJson || /^\/api\/|\.(?:data|json)$/.test(pathname)) {
    const answer = { error: page.title, message: page.text };
    return ['application/json', `${JSON.stringify(answer)}\n`];
  }
  if (/\.(?:xml|txt|webmanifest)$/.test(pathname) || !/text\/html|\*\/\*/.test(accept)) {
    return ['text/plain; charset=utf-8', `${page.title}. ${page.text}\n`];
  }
  return ['text/html; charset=utf-8', plainPage(page), plainPagePolicy];
}

const tryAgain = { label: 'Try Again', href: '' };

const pages: Record<GateScreen, (words: Words) => PlainPage> = {
  maintenance: ({ siteName, message }) => ({
    title: 'Under maintenance',
    text: message,
    kicker: siteName,
    action: tryAgain,
    note: { label: 'Sign in as an administrator', href: '/sign-in' },
  }),
  // The page reveals nothing about the site behind it, not even its name.
  'coming-soon': ({ gateName }) => ({
    title: 'Coming Soon',
    text: 'We are working on something new. Please come back later.',
    kicker: gateName,
    isAnonymous: true,
  }),
  unverified: () => ({
    title: 'Access Verification Failed',
    text: 'Unable to verify IP address',
    isAnonymous: true,
    action: tryAgain,
  }),
};
