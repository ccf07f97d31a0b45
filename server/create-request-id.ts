import { randomFillSync } from 'node:crypto';

const idBytes = 9;
const randomPool = Buffer.alloc(idBytes * 512);
let usedOfPool = randomPool.length;

/** Twelve letters. Random bytes are fetched for many at a time: one by one they cost more than a page from memory. */
export function createRequestId(): string {
  if (usedOfPool === randomPool.length) {
    randomFillSync(randomPool);
    usedOfPool = 0;
  }
  return randomPool.toString('base64url', usedOfPool, (usedOfPool += idBytes));
}
