import type { Right } from '#app/features/accounts/policy.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { type ApiKeyRight, apiKeyRights } from '#database/schema/program-tables.ts';

/** What a key may do, in words, and the right that whoever makes it must have and keep: nobody gives what they have not. */
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

/** What somebody with these rights may let a key do. */
export function grantableRights(held: { has(right: Right): boolean }): ApiKeyRight[] {
  return apiKeyRights.filter((right) => held.has(apiKeyWords[right].needs));
}

/**
 * What a key may do at this moment: of what was chosen, that which its maker could still give. Nothing is left of a key whose maker
 * is no longer staff. One from before whose maker's account was deleted has the higher limits that it always had.
 */
export function rightsInForce(
  { rights, role }: { rights: readonly ApiKeyRight[]; role: Role | null },
  rightsOf: (role: Role) => { has(right: Right): boolean },
): ReadonlySet<ApiKeyRight> {
  const grantable = role === null ? ['limits'] : grantableRights(rightsOf(role));
  return new Set(rights.filter((right) => grantable.includes(right)));
}
