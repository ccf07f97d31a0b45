import type { Right } from '#app/features/accounts/policy.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { type ApiKeyRight, apiKeyRights } from '#database/schema/program-tables.ts';

/**
 * The texts for a key's permissions, and the right that its creator must have and keep. Users may
 * grant only rights that they have.
 */
export const apiKeyWords: Readonly<
  Record<ApiKeyRight, { label: string; hint: string; needs: Right }>
> = {
  limits: {
    label: 'Higher limits',
    hint: 'More requests than without a key.',
    needs: 'api.manage',
  },
  clicks: {
    label: 'Read clicks',
    hint: 'How often visitors followed deals, by day, store, category and feed.',
    needs: 'catalog.read',
  },
};

/** Returns the permissions that a user with these rights may grant. */
export function grantableRights(held: { has(right: Right): boolean }): ApiKeyRight[] {
  return apiKeyRights.filter((right) => held.has(apiKeyWords[right].needs));
}

/**
 * Returns a key's current permissions: the chosen ones that its creator could still grant. If the
 * creator is no longer staff, none remain. An old key of a deleted account keeps its higher limits.
 */
export function rightsInForce(
  { rights, role }: { rights: readonly ApiKeyRight[]; role: Role | null },
  rightsOf: (role: Role) => { has(right: Right): boolean },
): ReadonlySet<ApiKeyRight> {
  const grantable = role === null ? ['limits'] : grantableRights(rightsOf(role));
  return new Set(rights.filter((right) => grantable.includes(right)));
}
