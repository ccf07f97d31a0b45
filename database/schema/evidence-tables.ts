import type { Generated, GeneratedAlways } from 'kysely';
import type { NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

/** Tables for the sealed price log and its witnesses. */
export interface EvidenceTables {
  /** A day of the price log as a signed Merkle tree, chained to the day before. */
  evidence_days: {
    day: string;
    last_price: number;
    last_void: number;
    prices: number;
    voids: number;
    root: Buffer;
    previous: Buffer;
    hash: Buffer;
    sealed_at: Timestamp;
    public_key: Buffer;
    signature: Buffer;
    nodes: Buffer;
    facts: Buffer;
    facts_hash: Buffer;
    price_starts: number[];
    price_places: number[];
    void_starts: number[];
    void_places: number[];
  };
  evidence_key_changes: {
    old_key: Buffer;
    new_key: Buffer;
    text: string;
    old_signature: Buffer;
    new_signature: Buffer;
  };
  /** Sites that witness this one, and sites that this one witnesses. */
  evidence_sites: {
    id: GeneratedAlways<number>;
    role: 'witness' | 'witnessed';
    address: string;
    is_active: Generated<boolean>;
    /** A witness's key, pinned at the first fetch. */
    public_key: Buffer | null;
    fetched_at: NullableTimestamp;
    problem: string | null;
    created_at: Timestamp;
  };
  witnessed_days: {
    site_id: number;
    day: string;
    text: string;
    signature: Buffer;
    cosigned_at: Timestamp;
    public_key: Buffer;
    cosignature: Buffer;
  };
  witness_conflicts: {
    id: GeneratedAlways<number>;
    site_id: number;
    day: string;
    kept_text: string | null;
    kept_signature: Buffer | null;
    found_text: string | null;
    found_signature: Buffer | null;
    found_at: Timestamp;
    settled_at: NullableTimestamp;
  };
  cosignatures: {
    day: string;
    site_id: number;
    cosigned_at: Timestamp;
    public_key: Buffer;
    signature: Buffer;
  };
}
