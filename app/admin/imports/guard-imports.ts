import { can } from '#app/features/accounts/policy.ts';
import type { Role } from '#database/schema/account-tables.ts';

/** Beside the layout's guard: importing is a right of its own. */
export function guardImports(role: Role): void {
  if (!can(role, 'feeds.import')) throw new Response(null, { status: 403 });
}
