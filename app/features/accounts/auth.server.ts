import { randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import type { Db } from '#database/connect.ts';
import { longestPassword } from './find-weak-password-reasons.ts';
import { hashToken } from './hash-token.server.ts';
import { hashPassword, verifyPassword } from './password-hash.server.ts';

interface AuthOptions {
  origin: string;
  /** Computed before a transaction opens, so that none waits for a slow hash. */
  passwordHash?: string;
}

// What it would sign are cookies and tokens of its own endpoints. None of them is on the network, so nothing signed
// by it leaves this process.
const unusedSecret = randomBytes(32).toString('base64url');

/**
 * better-auth on our tables, on the database or inside a transaction. Only its server calls are used: not one of its
 * endpoints is reachable over HTTP, so neither is what their paths may hide (see docs/decisions/006-accounts.md).
 */
function makeAuth(db: Db, { origin, passwordHash }: AuthOptions) {
  return betterAuth({
    baseURL: origin,
    secret: unusedSecret,
    // Transactions are ours: a mail or an audit row belongs to the same one.
    database: { db, type: 'postgres', transaction: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false }, // ours count in the shared store
    // Our tables come from our migrations, and a transaction cannot open the connection its check wants.
    advanced: { database: { validateSchema: false } },
    user: {
      modelName: 'users',
      fields: {
        name: 'full_name',
        emailVerified: 'email_verified',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        roleVersion: { type: 'number', fieldName: 'role_version', required: true, input: false },
        byPasskey: { type: 'boolean', fieldName: 'by_passkey', required: true, input: false },
      },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed', // the identifier holds the token
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false, // and so it answers the same for an address that is taken
      minPasswordLength: 1, // ours are stricter and say why: find-weak-password-reasons.ts
      maxPasswordLength: longestPassword * 4,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: async (password) => passwordHash ?? hashPassword(password),
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    databaseHooks: {
      session: {
        create: {
          // The library would keep it as it is: whoever read the table could be anybody (R10).
          before: async (session) => ({ data: { ...session, token: hashToken(session.token) } }),
        },
      },
    },
  });
}

/** For each call anew: making one costs little, and so it can live inside a transaction. */
export async function authOn(db: Db, options: AuthOptions) {
  const auth = makeAuth(db, options);
  const { internalAdapter, password } = await auth.$context;
  return { api: auth.api, store: internalAdapter, password };
}
