import { z } from 'zod';
import { historyStates, id, named } from './api-schemas.ts';

const day = z.iso.date();
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
    })
    .describe('The sealed price log of a day.'),
);

export const checkpointList = named(
  'CheckpointList',
  z.object({
    data: z.array(checkpoint).describe('Oldest first, at most 100.'),
    next_from: day.nullable().describe('The value of `from` for the next page; null on the last.'),
  }),
);
export const checkpointQuery = z.strictObject({
  from: day.default('2000-01-01').describe('The first day.'),
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
  }),
);
