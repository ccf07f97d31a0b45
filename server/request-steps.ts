import { apiMethods, isApiPath } from '#app/platform/api-problem.ts';
import { gateScreen } from '#server/gate-screen.ts';
import { readiness } from '#server/health.ts';
import {
  connectionClose,
  redirect,
  refuse,
  send,
  sendPreflight,
  sendText,
} from '#server/plain-answers.ts';
import { sendOwnPage, sendSharedPage } from '#server/rendered-pages.ts';
import {
  isAllowedHost,
  isLocalRequest,
  knownMethods,
  safeMethods,
} from '#server/request-origin.ts';
import { serveMedia, serveStaticFile } from '#server/static-files.ts';
import type { Visit } from '#server/visit.ts';

/** Whether the request is answered; else the next step is asked. */
type Step = (visit: Visit) => boolean | Promise<boolean>;

/** The way of every request, but of those that `sendKeptPage` in `http-server.ts` answers at once. */
const steps: readonly Step[] = [
  refuseOtherMethods,
  refuseUnreadableTarget,
  tellHealth,
  refuseOtherHosts,
  redirectToNormalPath,
  answerPreflight,
  askDevelopmentMiddleware,
  sendFile,
  limitVisitor,
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
  const allowed = isApiPath(visit.pathname) ? apiMethods : [...knownMethods].join(', ');
  refuse(visit, 405, ['allow', allowed]);
  return true;
}

function refuseUnreadableTarget(visit: Visit): boolean {
  if (visit.target.ok || visit.target.status === 301) return false;
  refuse(visit, visit.target.status);
  return true;
}

/** Before the host is looked at: a balancer on another machine knows none of the site's names. */
async function tellHealth(visit: Visit): Promise<boolean> {
  const { site, request, pathname } = visit;
  if (pathname === '/health/live') {
    sendText(visit, 200, 'ok\n');
    return true;
  }
  if (pathname !== '/health/ready') return false;
  if (!isLocalRequest(request) && !site.isBalancer(request)) {
    refuse(visit, 404);
    return true;
  }
  const stopping = site.isStopping();
  const state = { ...(await readiness(site.services.db)), stopping };
  const status = state.ready && !stopping ? 200 : 503;
  send(visit, status, 'application/json', `${JSON.stringify(state)}\n`);
  return true;
}

function refuseOtherHosts(visit: Visit): boolean {
  const { site, request } = visit;
  if (isAllowedHost(request.headers.host, site.services.env.allowedHosts)) return false;
  refuse(visit, 421);
  return true;
}

function redirectToNormalPath(visit: Visit): boolean {
  const { target, method } = visit;
  if (target.ok) return false;
  if (target.status === 301 && safeMethods.has(method)) redirect(visit, target.location);
  else refuse(visit, 400);
  return true;
}

function answerPreflight(visit: Visit): boolean {
  if (!isPreflight(visit)) return false;
  sendPreflight(visit);
  return true;
}

function isPreflight({ method, pathname }: Visit): boolean {
  return method === 'OPTIONS' && isApiPath(pathname);
}

/** It answers what it knows, or passes the request on. */
async function askDevelopmentMiddleware({ site, request, response }: Visit): Promise<boolean> {
  const { developmentMiddleware } = site;
  if (!developmentMiddleware) return false;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    developmentMiddleware(request, response, resolve);
  });
  return response.headersSent || response.writableEnded;
}

async function sendFile(visit: Visit): Promise<boolean> {
  const { site, request, response, method, pathname } = visit;
  if (!safeMethods.has(method)) return false;
  if (serveStaticFile(site.files, pathname, request, response)) return true;
  if (isGateOpen(visit) && (await sendPicture(visit))) return true;
  // Never let the router make a page of a missing script: old tabs would cache it.
  if (!pathname.startsWith('/assets/')) return false;
  sendText(visit, 404, 'Not found\n');
  return true;
}

async function limitVisitor(visit: Visit): Promise<boolean> {
  const { site, request, response, pathname, search } = visit;
  const { address } = site.addressOf(request);
  visit.address = address;
  const admitted = await site.visitors.admit(address, pathname, search);
  if (!admitted.ok) {
    refuse(visit, admitted.status, ['retry-after', String(admitted.retryAfterSeconds)]);
    return true;
  }
  response.once('close', admitted.leave);
  if (response.destroyed) admitted.leave();
  return false;
}

async function examineAtGate(visit: Visit): Promise<boolean> {
  const { site, request, pathname, id } = visit;
  const { gate } = site;
  if (!gate || gate.isOpen) return false;
  const { accept, cookie } = request.headers;
  const known = site.addressOf(request);
  const address = known.isKnown ? known.address : null;
  const answered = await gate.examine({ pathname, cookie, address });
  if (answered.letsIn) {
    visit.gateNote = gate.debugNote(answered, address);
    return false;
  }
  const asked = { pathname, accept, origin: site.services.env.origin, reference: id };
  const { type, policy, text } = gateScreen(answered.screen, gate.words, asked);
  const headers = ['content-security-policy', policy, 'retry-after', '600'];
  if (!request.complete) headers.push(...connectionClose);
  send(visit, 503, type, text, headers);
  return true;
}

async function sendPicture(visit: Visit): Promise<boolean> {
  const { site, request, response, method, pathname } = visit;
  if (!safeMethods.has(method) || !pathname.startsWith('/media/')) return false;
  if (!(await serveMedia(site.mediaFolder, pathname, site.base, request, response))) {
    sendText(visit, 404, 'Not found\n');
  }
  return true;
}

function isGateOpen({ site }: Visit): boolean {
  return site.gate?.isOpen ?? true;
}
