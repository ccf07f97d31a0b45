import { z } from 'zod';
import { address, count, historyStates, id, named } from './api-schemas.ts';

const day = z.iso.date();
// Year 0 is excluded, since the database does not support it.
const from = day.refine((typed) => typed >= '0001', 'Must be a later day');
const hex = z.string().regex(/^[0-9a-f]*$/);

const checkpoint = named(
  'Checkpoint',
  z
    .object({
      day: day.describe('The sealed day, in UTC.'),
      text: z
        .string()
        .describe(
          'The signed text: the numbers of new prices and voids with the newest sealed ids, the root of their Merkle tree (RFC 9162, SHA-256), the SHA-256 of the previous text, the time, and the public key (Ed25519).',
        ),
      signature: hex.describe('The Ed25519 signature of the text.'),
      cosignatures: z
        .array(
          z.object({
            witness: address.describe('The address of the witness.'),
            time: count.describe('The time in seconds since 1970.'),
            key: hex.describe('The public key of the witness.'),
            signature: hex.describe(
              'The Ed25519 signature of `cosignature/v1`, `time TIME` and the text, each on its own line, as in C2SP’s tlog-cosignature.',
            ),
          }),
        )
        .describe('The countersignatures of other sites that keep this day.'),
    })
    .describe('The sealed price log of a day.'),
);

const keyChanges = z
  .array(
    named(
      'KeyChange',
      z
        .object({
          text: z.string().describe('The statement, with the old and the new public key.'),
          old_signature: hex.describe('Its Ed25519 signature by the old key.'),
          new_signature: hex.describe('Its Ed25519 signature by the new key.'),
        })
        .describe('A change of the signing key.'),
    ),
  )
  .describe('All changes of the signing key. Each day with another key needs one.');

export const checkpointList = named(
  'CheckpointList',
  z.object({
    data: z.array(checkpoint).describe('Oldest first, at most 100.'),
    key_changes: keyChanges,
    next_from: day.nullable().describe('The value of `from` for the next page; null on the last.'),
  }),
);
export const checkpointQuery = z.strictObject({
  from: from.default('2000-01-01').describe('The first day.'),
});

const signedDay = z.object({ day, text: z.string(), signature: hex });

export const witnessedDays = named(
  'WitnessedDays',
  z.object({
    site: address.describe('The site that is witnessed.'),
    key: hex.describe('Our public key (Ed25519).'),
    data: z
      .array(
        signedDay.extend({
          time: count.describe('The time of our countersignature in seconds since 1970.'),
          key: hex.describe('The key that we countersigned with.'),
          cosignature: hex.describe(
            'Our Ed25519 signature of `cosignature/v1`, `time TIME` and the text, each on its own line.',
          ),
        }),
      )
      .describe('The site’s days as we keep them, oldest first, at most 100.'),
    conflicts: z
      .array(
        z.object({
          day,
          kept: signedDay
            .nullable()
            .describe('The day as we keep it; null if only its key is new.'),
          found: signedDay
            .nullable()
            .describe('The day as the site changed it; null if it is gone.'),
          found_at: z.iso.datetime(),
          settled_at: z.iso
            .datetime()
            .nullable()
            .describe('When we accepted the new days; null while we countersign nothing.'),
        }),
      )
      .describe('The days that the site rewrote, newest first, at most 100.'),
    key_changes: keyChanges,
    next_from: day.nullable().describe('The value of `from` for the next page; null on the last.'),
  }),
);
export const witnessedQuery = z.strictObject({
  site: z
    .string()
    .min(1)
    .max(300)
    .describe('The address of the site, such as `https://deals.example`.'),
  from: from.default('2000-01-01').describe('The first day.'),
});

export const dealEvidence = named(
  'DealEvidence',
  z.object({
    deal_id: id,
    state: historyStates,
    is_complete: z.boolean().describe('Whether the first price is included. At most 1,000 are.'),
    newest_price_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'The time of the newest price, stored outside the log. If the log has no such price, it was removed.',
      ),
    entries: z
      .array(
        z.object({
          leaf: z
            .string()
            .describe(
              'The leaf’s text. A price: `price ID deal ID at TIME AMOUNT WAS CURRENCY AVAILABILITY SOURCE after ID`, with amounts in minor units and the id of the deal’s previous price. A void: `void ID deal ID price ID at TIME HASH`, with the voided price and the SHA-256 of the reason.',
            ),
          day: day.nullable().describe('The sealed day; null if not sealed yet.'),
          place: z.int().nullable().describe('The index of the leaf in the day’s tree.'),
          path: z.array(hex).describe('The inclusion proof of RFC 9162.'),
        }),
      )
      .describe('Prices and voids, each newest first.'),
    checkpoints: z
      .array(checkpoint)
      .describe('The checkpoints of the entries’ days, and the newest one.'),
    key_changes: keyChanges,
  }),
);
