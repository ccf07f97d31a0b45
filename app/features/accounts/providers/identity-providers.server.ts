import type { Env } from '#app/platform/env.server.ts';
import type { ProviderName } from '../sessions/viewer-context.tsx';

/** Somebody else who says who a visitor is. */
export interface IdentityProvider {
  id: 'google' | 'github' | 'oidc';
  name: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** OpenID Connect by its issuer, whose own document tells the rest; or GitHub, which has a way of its own. */
  kind:
    | { protocol: 'oidc'; issuer: string; isOwnNetwork: boolean }
    | { protocol: 'github'; site: string; api: string; isOwnNetwork: boolean };
}

/** Those whose keys are set, in the order of their buttons. */
export function identityProviders({ providers }: Pick<Env, 'providers'>): IdentityProvider[] {
  const { google, github, oidc } = providers;
  const scope = 'openid email profile';
  const found: IdentityProvider[] = [];
  if (google) {
    const issuer = 'https://accounts.google.com';
    const kind = { protocol: 'oidc' as const, issuer, isOwnNetwork: false };
    found.push({ ...google, id: 'google', name: 'Google', scope, kind });
  }
  if (github) {
    found.push({
      ...github,
      id: 'github',
      name: 'GitHub',
      scope: 'read:user user:email',
      kind: {
        protocol: 'github',
        site: 'https://github.com',
        api: 'https://api.github.com',
        isOwnNetwork: false,
      },
    });
  }
  if (oidc) {
    const { issuer, name, clientId, clientSecret } = oidc;
    const kind = { protocol: 'oidc' as const, issuer, isOwnNetwork: true };
    found.push({ id: 'oidc', name, clientId, clientSecret, scope, kind });
  }
  return found;
}

export function findProvider(env: Pick<Env, 'providers'>, id: string): IdentityProvider | null {
  return identityProviders(env).find((provider) => provider.id === id) ?? null;
}

/** What the buttons say. */
export function providerNames(env: Pick<Env, 'providers'>): ProviderName[] {
  return identityProviders(env).map(({ id, name }) => ({ id, name }));
}

/** What it is called here, also once its keys are taken away. */
export function providerTitle(env: Pick<Env, 'providers'>, id: string): string {
  const titles: Record<string, string> = { google: 'Google', github: 'GitHub' };
  return findProvider(env, id)?.name ?? titles[id] ?? id;
}
