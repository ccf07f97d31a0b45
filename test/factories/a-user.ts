import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { nextNumber } from './sequence.ts';

export type NewUser = Insertable<Database['users']>;

/** Returns a verified user without a password. For sign-in methods, see the accounts feature. */
export function aUser(overrides: Partial<NewUser> = {}): NewUser {
  const number = nextNumber();
  return {
    id: `user-${number}`,
    email: `user-${number}@mail.example`,
    full_name: `User ${number}`,
    role: 'user',
    email_verified: true,
    image: null,
    ...overrides,
  };
}
