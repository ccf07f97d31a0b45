import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import {
  refuseForm,
  refuseIdentity,
  refuseBots,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { confirmIdentity, readProof } from '#app/features/accounts/confirm-identity.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';

export type AccountPost = Awaited<ReturnType<typeof readAccountPost>>;

/** Bundles what an account action needs: the form, its origin and ways to refuse it. */
export async function readAccountPost(...asked: Parameters<typeof readPost>) {
  const post = await readPost(...asked);
  const { services, form } = post;
  const { place, oldToken } = sessionPlace(...asked);
  const refuse = (why: Parameters<typeof refuseForm>[1], status?: number) =>
    refuseForm(form, why, status);
  return {
    ...post,
    place,
    oldToken,
    refuse,
    refuseTooMany: (limited: Parameters<typeof refuseTooMany>[1]) => refuseTooMany(form, limited),
    /** Refuses input that none of our forms sends, and requests for deleted rows. */
    fail: (status: number) => refuse({ message: accountMessages.failed }, status),
    refuseWeak: (reasons: Parameters<typeof describeWeakPassword>[0]) =>
      refuse({
        errors: { password: describeWeakPassword(reasons, services.env.passwordMinLength) },
      }),
    /** Returns `null` if a person sent the form, and the response otherwise. */
    refuseBot: () => refuseBots(services, form, place.address),
    /**
     * Returns `null` if the user confirms their identity, and otherwise a response with the error
     * at `field`. `typed`: see `IdentityProof`.
     */
    async refuseStranger(user: SessionUser, field = 'password', typed = post.text('password')) {
      const confirmed = await confirmIdentity(services, user, { ...readProof(form), typed });
      return confirmed.ok ? null : refuseIdentity(form, confirmed, field);
    },
  };
}
