import type { Generated, GeneratedAlways } from 'kysely';
import type { Dated, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export type Role = 'user' | 'admin' | 'super_admin';

/** Tables for users and their sign-in methods. */
export interface AccountTables {
  users: Dated & {
    id: string;
    email: string;
    full_name: Generated<string>;
    role: Generated<Role>;
    role_version: Generated<number>;
    /** Narrows the rights of an admin: a built-in set or the id of a custom one. null: all. */
    right_set: string | null;
    email_verified: Generated<boolean>;
    image: string | null;
    two_factor_enabled: Generated<boolean>;
    remind_before_expiry: Generated<boolean>;
    /**
     * The end of the week that the last email about follows covered. null: the user wants no
     * emails.
     */
    follows_mailed_at: NullableTimestamp;
    disconnected_providers: Generated<string[]>;
    suspended_at: NullableTimestamp;
    /** The reason for a suspension, shown to staff. null unless the user is suspended. */
    suspended_for: string | null;
  };
  sessions: Dated & {
    id: string;
    token: string;
    user_id: string;
    role_version: Generated<number>;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    by_passkey: Generated<boolean>;
  };
  accounts: Dated & {
    id: string;
    account_id: string;
    provider_id: string;
    user_id: string;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: NullableTimestamp;
    refresh_token_expires_at: NullableTimestamp;
    scope: string | null;
    password: string | null;
  };
  verifications: Dated & {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
  };
  two_factors: {
    user_id: string;
    sealed_key: Buffer;
    confirmed_at: NullableTimestamp;
    last_step: Generated<number>;
    created_at: Timestamp;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    public_key: Buffer;
    algorithm: number;
    counter: Generated<number>;
    created_at: Timestamp;
    last_used_at: NullableTimestamp;
  };
  staff_invitations: {
    id: GeneratedAlways<number>;
    email: string;
    role: Exclude<Role, 'user'>;
    right_set: string | null;
    /** The inviter's message. */
    words: Generated<string>;
    invited_by: string | null;
    link_hashes: Generated<string[]>;
    created_at: Timestamp;
    /** The time of the last email. */
    sent_at: Timestamp;
    mails: Generated<number>;
    expires_at: Date;
    ended_at: NullableTimestamp;
    outcome: 'accepted' | 'withdrawn' | null;
  };
  /** The owner's custom right sets. */
  right_sets: Dated & {
    id: GeneratedAlways<number>;
    name: string;
    rights: string[];
    version: Generated<number>;
  };
  backup_codes: { user_id: string; code_hash: string };
}
