import type { Env } from '#app/platform/env.server.ts';
import type { ProviderName } from '../sessions/viewer-context.tsx';

/** A service that identifies a visitor. */
export interface IdentityProvider {
  id: 'google' | 'github' | 'oidc';
  name: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** OpenID Connect, whose issuer publishes the endpoints, or GitHub's own protocol. */
  kind:
    | { protocol: 'oidc'; issuer: string; isOwnNetwork: boolean }
    | { protocol: 'github'; site: string; api: string; isOwnNetwork: boolean };
}

/** Returns the configured providers, in the order of their buttons. */
export function identityProviders({ providers }: Pick<Env, 'providers'>): IdentityProvider[] {
  const { google, github, oidc } = providers;
  const scope = 'openid email profile';
  const all: (IdentityProvider | null)[] = [
    google && {
      ...google,
      id: 'google',
      name: 'Google',
      scope,
      kind: { protocol: 'oidc', issuer: 'https://accounts.google.com', isOwnNetwork: false },
    },
    github && {
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
    },
    oidc && {
      ...oidc,
      id: 'oidc',
      scope,
      kind: { protocol: 'oidc', issuer: oidc.issuer, isOwnNetwork: true },
    },
  ];
  return all.filter((provider) => provider !== null);
}

export function findProvider(env: Pick<Env, 'providers'>, id: string): IdentityProvider | null {
  return identityProviders(env).find((provider) => provider.id === id) ?? null;
}

export function providerNames(env: Pick<Env, 'providers'>): ProviderName[] {
  return identityProviders(env).map(({ id, name }) => ({ id, name }));
}

/** Returns the provider's name, even after its keys were removed. */
export function providerTitle(env: Pick<Env, 'providers'>, id: string): string {
  const titles: Record<string, string> = { google: 'Google', github: 'GitHub' };
  return findProvider(env, id)?.name ?? titles[id] ?? id;
}
