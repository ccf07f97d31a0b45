import { hasRedirect } from '#app/features/catalog/find-redirect.server.ts';
import { apiMethods, isApiPath } from '#app/platform/api-problem.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { assetsPath } from '#server/build-files.ts';
import { sendGateScreen } from '#server/gate-screen.ts';
import { readiness } from '#server/health.ts';
import { normalisePath } from '#server/normalise-path.ts';
import { redirect, refuse, send, sendPreflight, sendText } from '#server/plain-answers.ts';
import { refusePrefetch } from '#server/refuse-prefetch.ts';
import { sendOwnIcon } from '#server/send-own-icon.ts';
import { sendOwnPage, sendSharedPage } from '#server/rendered-pages.ts';
import {
  hasTwoHosts,
  isAllowedHost,
  isLocalRequest,
  knownMethods,
  safeMethods,
} from '#server/request-origin.ts';
import { serveMedia } from '#server/static-files.ts';
import { sendStoredAnswer } from '#server/stored-answer.ts';
import type { Visit } from '#server/visit.ts';

/**
 * A step in handling a request. Returns true if it answered the request; otherwise the next step
 * runs.
 */
type Step = (visit: Visit) => boolean | Promise<boolean>;

/**
 * The steps for every request, except those that `sendCachedPage` in `http-server.ts` answers
 * directly.
 */
const steps: readonly Step[] = [
  refuseOtherMethods,
  refuseUnreadableTarget,
  answerHealth,
  refuseAtWorker,
  refuseOtherHosts,
  refuseOtherSpelling,
  answerPreflight,
  askDevelopmentMiddleware,
  sendOwnIcon,
  sendFile,
  limitVisitor,
  redirectToNormalPath,
  sendFileOfOtherBuild,
  examineAtGate,
  sendPicture,
  sendSharedPage,
  sendOwnPage,
];

export async function answer(visit: Visit): Promise<void> {
  for (const step of steps) if (await step(visit)) return;
}

function refuseOtherMethods(visit: Visit): boolean {
  if (knownMethods.has(visit.method) || isPreflight(visit)) return false;
  const allow = isApiPath(visit.pathname) ? apiMethods : [...knownMethods].join(', ');
  return refuse(visit, 405, { allow });
}

function refuseUnreadableTarget(visit: Visit): boolean {
  if (visit.target.ok || visit.target.status === 301) return false;
  return refuse(visit, visit.target.status);
}

/**
 * Reports health before the host is checked, because a load balancer knows none of the site's
 * names.
 */
async function answerHealth(visit: Visit): Promise<boolean> {
  const { site, request, pathname } = visit;
  if (pathname === '/health/live') return sendText(visit, 200, 'ok\n');
  if (pathname !== '/health/ready') return false;
  if (!isLocalRequest(request) && !site.isBalancer(request)) return refuse(visit, 404);
  const stopping = site.isStopping();
  const state = { ...(await readiness(site.services.db)), stopping };
  const status = state.ready && !stopping ? 200 : 503;
  return send(visit, status, 'application/json', `${JSON.stringify(state)}\n`);
}

/** Rejects visitors on a worker, because load balancers must not send visitors there. */
function refuseAtWorker(visit: Visit): boolean {
  return visit.site.services.env.role === 'worker' && refuse(visit, 404);
}

function refuseOtherHosts(visit: Visit): boolean {
  const { site, request } = visit;
  if (hasTwoHosts(request)) return refuse(visit, 400);
  return !isAllowedHost(request.headers.host, site.services.env.allowedHosts) && refuse(visit, 421);
}

function refuseOtherSpelling(visit: Visit): boolean {
  return !visit.target.ok && !safeMethods.has(visit.method) && refuse(visit, 400);
}

function answerPreflight(visit: Visit): boolean {
  return isPreflight(visit) && sendPreflight(visit);
}

function isPreflight({ method, pathname }: Visit): boolean {
  return method === 'OPTIONS' && isApiPath(pathname);
}

/** Runs the development middleware, which responds or passes the request on. */
async function askDevelopmentMiddleware(visit: Visit): Promise<boolean> {
  const { site, request, response, target } = visit;
  const { developmentMiddleware } = site;
  if (!developmentMiddleware || !target.ok) return false;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    developmentMiddleware(request, response, resolve);
  });
  return response.headersSent || response.writableEnded;
}

async function sendFile(visit: Visit): Promise<boolean> {
  const { site, request, response, method, pathname } = visit;
  if (!safeMethods.has(method)) return false;
  const file = site.files.get(pathname);
  if (file) return sendStoredAnswer(file, request, response);
  if (!isMedia(visit) || !(site.gate?.isOpen ?? true)) return false;
  visit.address = site.addressOf(request).address;
  const admitted = await site.visitors.admitPicture(visit.address);
  return admitted.ok ? sendPicture(visit) : refuse(visit, 429, retryAfter(admitted));
}

function isMedia({ pathname }: Visit): boolean {
  return pathname.startsWith('/media/');
}

async function limitVisitor(visit: Visit): Promise<boolean> {
  const { site, request, response, pathname, search } = visit;
  const { address } = site.addressOf(request);
  visit.address = address;
  if (visit.isPrefetch && !isAsset(visit)) return refusePrefetch(visit);
  const admitted = await site.visitors.admit(address, pathname, search);
  if (!admitted.ok) return refuse(visit, admitted.status, retryAfter(admitted));
  response.once('close', admitted.leave);
  if (response.destroyed) admitted.leave();
  return false;
}

/**
 * Redirects another spelling of a URL, such as `/deals/`. If the owner redirects that URL,
 * `sendOwnPage` redirects straight to the final target. Without cached values, the lookup queries
 * the database, so it counts towards the rate limit.
 */
async function redirectToNormalPath(visit: Visit): Promise<boolean> {
  const { site, target } = visit;
  if (target.ok || target.status !== 301) return false;
  const normal = normalisePath(target.location);
  if (!normal.ok || !(await hasRedirect(site.services, normal.pathname)))
    return redirect(visit, target.location);
  visit.pathname = normal.pathname;
  visit.search = normal.search;
  return false;
}

/** Queries the database, so it counts towards the rate limit. */
async function sendFileOfOtherBuild(visit: Visit): Promise<boolean> {
  const { site, request, response, method, pathname } = visit;
  if (!isAsset(visit)) return false;
  const file = safeMethods.has(method) ? await site.otherBuilds.find(pathname) : null;
  // Never lets the router render a page for a missing script, because old tabs would cache it as
  // the script.
  return file ? sendStoredAnswer(file, request, response) : sendText(visit, 404, 'Not found\n');
}

function isAsset({ pathname }: Visit): boolean {
  return pathname.startsWith(assetsPath);
}

async function examineAtGate(visit: Visit): Promise<boolean> {
  const { site, request, pathname } = visit;
  const { gate } = site;
  if (!gate || gate.isOpen) return false;
  const known = site.addressOf(request);
  const address = known.isKnown ? known.address : null;
  const { cookie } = request.headers;
  const answered = await gate.examine({ pathname, cookie, address });
  if (!answered.letsIn) return sendGateScreen(visit, answered.screen, gate.words);
  visit.gateNote = gate.debugNote(answered, address);
  return false;
}

async function sendPicture(visit: Visit): Promise<boolean> {
  if (!safeMethods.has(visit.method) || !isMedia(visit)) return false;
  return (await serveMedia(visit)) || sendText(visit, 404, 'Not found\n');
}
