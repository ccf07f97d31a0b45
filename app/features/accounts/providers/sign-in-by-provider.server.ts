import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { errorCode } from '#database/error-code.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit, type LimitAnswer } from '#app/platform/rate-limit.server.ts';
import { emailInput, nameInput } from '../account-input.ts';
import type { ProviderProblem } from '../account-messages.ts';
import type { IdentityProvider } from './identity-providers.server.ts';
import { mailAccount } from '../people/mail-account.server.ts';
import { linkProvider, makeAccount } from '../people/make-account.server.ts';
import { storeOnce, takeOnce } from '../one-time-values.server.ts';
import type { SessionPlace } from '../sessions/open-session.server.ts';
import { isStaff } from '../policy.ts';
import { proveAddress } from '../people/prove-address.server.ts';
import { updateUser, userByEmail } from '../people/user-queries.server.ts';
import {
  addressAtProvider,
  type Attempt,
  type Identity,
  newAttempt,
  readIdentity,
} from './read-identity.server.ts';
import { askForSecondFactor } from '../two-factor/second-factor-step.server.ts';
import type { SessionUser } from '../sessions/session-context.server.ts';
import { cookieName, readCookie, writeCookie } from '../sessions/session-cookie.server.ts';
import { enter } from '../sessions/sign-in.server.ts';
import { findWaysIn, freshMinutes } from '../ways-in-queries.server.ts';

const minutes = 10;
const redirectUri = (origin: string, { id }: IdentityProvider) =>
  `${origin}/sign-in/with/${id}/callback`;

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;
type TooMany = LimitAnswer & { ok: false; reason: 'too-many' };

/**
 * The reason why a signed-in user visits the provider: to confirm their identity, or to connect
 * the provider.
 */
export interface ProviderErrand {
  userId: string;
  act: 'confirm' | 'connect';
}

/** Returns the sign-in address, and the cookie that binds the return to this browser. */
export async function startAtProvider(
  services: Services,
  provider: IdentityProvider,
  { returnTo, address, errand }: { returnTo: string; address: string; errand?: ProviderErrand },
): Promise<{ ok: true; url: string; cookie: string } | { ok: false; reason: 'failed' } | TooMany> {
  const { db, env, log } = services;
  const allowed = await limit(services, 'sign-in-address', address);
  if (!allowed.ok) return { ...allowed, reason: 'too-many' };
  const attempt = newAttempt();
  let url: string;
  try {
    url = await addressAtProvider(provider, attempt, {
      redirectUri: redirectUri(env.origin, provider),
      isAskedAgain: errand !== undefined,
    });
  } catch (error) {
    log.warn({ event: 'provider-failed', provider: provider.id, err: error }, 'provider failed');
    return { ok: false, reason: 'failed' };
  }
  const token = attempt.state;
  const kept: StoredAttempt = { ...attempt, provider: provider.id, returnTo, errand };
  const validForMs = minutes * 60_000;
  await storeOnce(db, 'provider-state', JSON.stringify(kept), { validForMs, token });
  const validity = { origin: env.origin, seconds: minutes * 60 };
  return { ok: true, url, cookie: writeCookie('provider-state', token, validity) };
}

interface StoredAttempt extends Attempt {
  provider: string;
  returnTo: string;
  errand: ProviderErrand | undefined;
}

export type ProviderResult =
  | { ok: true; userId: string; cookies: string[]; needsCode: boolean; returnTo: string }
  | Refused
  | TooMany;

/** Handles the visitor's return. The attempt is used up, whatever the outcome. */
export async function finishAtProvider(
  services: Services,
  provider: IdentityProvider,
  request: Request,
  place: SessionPlace,
  { oldToken, viewer }: { oldToken: string | null; viewer: SessionUser | null },
): Promise<ProviderResult> {
  const { db, env, log } = services;
  const allowed = await limit(services, 'sign-in-address', place.address);
  if (!allowed.ok) return { ...allowed, reason: 'too-many' };
  const query = new URL(request.url).searchParams;
  const attempt = await takeAttempt(services, provider, request, query.get('state'));
  if (!attempt) return refuse('over');
  const { errand, returnTo } = attempt;
  // The user signed out in the meantime, or another user signed in.
  if (errand && errand.userId !== viewer?.id) return refuse('over');

  let identity: Identity | null;
  try {
    identity = await readIdentity(provider, attempt, query, redirectUri(env.origin, provider));
  } catch (error) {
    log.warn({ event: 'provider-failed', provider: provider.id, err: error }, 'provider failed');
    return refuse('failed');
  }
  if (!identity) return refuse('denied');
  const spent = writeCookie('provider-state', '', { origin: env.origin, seconds: 0 });
  if (viewer && errand?.act === 'connect') {
    const connected = await connectProvider(services, provider, identity, viewer);
    if (!connected.ok) return refuse(connected.reason);
    return { ok: true, userId: viewer.id, needsCode: false, returnTo, cookies: [spent] };
  }
  if (errand && isLongAgo(identity)) return refuse('not-asked');
  const found = errand
    ? await findConfirmed(db, provider, identity, errand.userId)
    : await findOrMakeUser(db, provider, identity);
  if (!found.ok) return refuse(found.reason);
  const { userId, hasTwoFactor } = found;
  if (hasTwoFactor) {
    const cookie = await askForSecondFactor(services, userId);
    return { ok: true, userId, needsCode: true, returnTo, cookies: [cookie] };
  }
  const cookies = await enter(services, userId, place, oldToken);
  if (!cookies) return refuse('suspended');
  return { ok: true, userId, needsCode: false, returnTo, cookies: [...cookies, spent] };

  function refuse(reason: ProviderProblem): ProviderResult {
    log.warn({ event: 'sign-in-refused', reason: `${provider.id}: ${reason}` }, 'sign-in refused');
    return { ok: false, reason };
  }
}

/**
 * Returns whether the provider ignored the request to sign in again. Such a response does not
 * confirm the current user.
 */
function isLongAgo({ signedInAt }: Identity): boolean {
  return signedInAt !== null && Date.now() - signedInAt.getTime() > freshMinutes * 60_000;
}

async function takeAttempt(
  { db, env }: Services,
  provider: IdentityProvider,
  request: Request,
  state: string | null,
): Promise<StoredAttempt | null> {
  const own = readCookie(request, cookieName('provider-state', env.origin));
  if (state === null || own !== state) return null;
  const kept = await takeOnce(db, 'provider-state', state);
  if (kept === null) return null;
  const attempt: StoredAttempt = JSON.parse(kept);
  return attempt.provider === provider.id ? attempt : null;
}

type Refused = { ok: false; reason: ProviderProblem };
type FoundUser = { ok: true; userId: string; hasTwoFactor: boolean } | Refused;

/**
 * Finds a user by the provider's subject, then by a verified email. An address that was not
 * verified here is verified now, and all earlier sign-in methods are removed: a stranger may have
 * added them. An account linked to another subject of the provider belongs to someone else.
 */
async function findOrMakeUser(
  db: Db,
  { id: providerId, name: provider }: IdentityProvider,
  identity: Identity,
): Promise<FoundUser> {
  const linked = await findLinked(db, providerId, identity.subject);
  if (linked) return admit(linked);
  const email = emailInput.safeParse({ email: identity.email }).data?.email;
  if (!email || !identity.isEmailVerified) return { ok: false, reason: 'unverified' };
  try {
    return await db.transaction().execute(async (tx): Promise<FoundUser> => {
      const owner = await userByEmail(tx, email).select('id').executeTakeFirst();
      const isFirstProof =
        owner !== undefined && (await proveAddress(tx, owner.id, { knowsPassword: false }));
      const existing = await userByEmail(tx, email)
        .select(['id', 'email', 'role', 'two_factor_enabled', 'suspended_at'])
        .select(['full_name', 'disconnected_providers'])
        .executeTakeFirst();
      if (existing?.disconnected_providers.includes(providerId)) {
        return { ok: false, reason: 'disconnected' };
      }
      if (existing && (await hasLink(tx, existing.id, providerId))) {
        return { ok: false, reason: 'has-one' };
      }
      const link = { providerId, subject: identity.subject };
      if (!existing) {
        const person = { email, fullName: nameOf(identity, email), isVerified: true };
        const userId = await makeAccount(tx, person);
        await linkProvider(tx, userId, link);
        return { ok: true, userId, hasTwoFactor: false };
      }
      const admitted = admit(existing);
      if (admitted.ok) {
        await linkProvider(tx, existing.id, link);
        const props = { fullName: existing.full_name, provider, isFirstProof };
        await mailAccount(tx, 'provider-connected', existing, props);
      }
      return admitted;
    });
  } catch (error) {
    // A parallel call created the user first.
    if (errorCode(error) !== '23505') throw error;
    return { ok: false, reason: 'over' };
  }
}

/**
 * Requires the same provider account, since another one would open or create another account here.
 */
async function findConfirmed(
  db: Db,
  { id: providerId }: IdentityProvider,
  { subject }: Identity,
  userId: string,
): Promise<FoundUser> {
  const linked = await findLinked(db, providerId, subject);
  return linked?.id === userId ? admit(linked) : { ok: false, reason: 'other' };
}

/** Connects a provider for a user with a confirmed identity. The two addresses need not match. */
async function connectProvider(
  { db, log }: Services,
  { id: providerId, name: provider }: IdentityProvider,
  { subject }: Identity,
  user: SessionUser,
): Promise<{ ok: true } | Refused> {
  if (!user.emailVerified) return { ok: false, reason: 'own-unproved' };
  const linked = await findLinked(db, providerId, subject);
  if (linked) return linked.id === user.id ? { ok: true } : { ok: false, reason: 'taken' };
  if (await hasLink(db, user.id, providerId)) return { ok: false, reason: 'has-one' };
  try {
    await db.transaction().execute(async (tx) => {
      await linkProvider(tx, user.id, { providerId, subject });
      const others = sql<string[]>`array_remove(disconnected_providers, ${providerId})`;
      await updateUser(tx, user.id).set({ disconnected_providers: others }).execute();
      const props = { fullName: user.fullName, provider };
      await mailAccount(tx, 'provider-connected', user, props);
    });
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    return { ok: false, reason: 'taken' };
  }
  log.info({ event: 'provider-connected', userId: user.id, provider: providerId }, 'connected');
  return { ok: true };
}

function findLinked(db: Db, providerId: string, subject: string) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['u.id', 'u.role', 'u.two_factor_enabled', 'u.suspended_at'])
    .where('a.provider_id', '=', providerId)
    .where('a.account_id', '=', subject)
    .executeTakeFirst();
}

async function hasLink(db: Db, userId: string, providerId: string): Promise<boolean> {
  const { providers } = await findWaysIn(db, userId);
  return providers.some(({ id }) => id === providerId);
}

/**
 * Refuses staff without two-factor. Access to an administrator's inbox or provider account must not
 * open the admin.
 */
function admit(user: {
  id: string;
  role: Role;
  two_factor_enabled: boolean;
  suspended_at: Date | null;
}): FoundUser {
  if (user.suspended_at !== null) return { ok: false, reason: 'suspended' };
  if (isStaff(user.role) && !user.two_factor_enabled) return { ok: false, reason: 'staff' };
  return { ok: true, userId: user.id, hasTwoFactor: user.two_factor_enabled };
}

function nameOf({ name }: Identity, email: string): string {
  const fullName = nameInput.safeParse({ full_name: name.slice(0, 100) }).data?.full_name;
  return fullName ?? email.split('@')[0] ?? email;
}
