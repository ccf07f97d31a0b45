import { hash } from 'node:crypto';

// Hashes by RFC 9162, section 2.1. A tree is stored level by level, leaves first. An odd node at
// the end of a level moves up unchanged, which yields the trees of the RFC.

export const hashBytes = 32;

const sha256 = (bytes: Uint8Array | string) => hash('sha256', bytes, 'buffer');

export function hashLeaf(text: string | Uint8Array): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const prefixed = Buffer.allocUnsafe(bytes.length + 1);
  prefixed[0] = 0;
  prefixed.set(bytes, 1);
  return sha256(prefixed);
}

/** Returns the SHA-256 in hex. */
export const hashHex = (bytes: Uint8Array | string) => sha256(bytes).toString('hex');

/** nodes hashed before yielding to other work, about 2 ms */
const atOnce = 2_000;

/** Returns these concatenated leaf hashes, followed by all nodes above them. */
export async function buildTree(leaves: Buffer): Promise<Buffer> {
  const levels = [leaves];
  const pair = Buffer.alloc(1 + 2 * hashBytes, 1);
  for (let below = leaves; below.length > hashBytes;) {
    const count = below.length / hashBytes;
    const level = Buffer.allocUnsafe(Math.ceil(count / 2) * hashBytes);
    for (let node = 0; 2 * node < count; node++) {
      const children = below.subarray(2 * node * hashBytes, (2 * node + 2) * hashBytes);
      pair.set(children, 1);
      level.set(children.length === hashBytes ? children : sha256(pair), node * hashBytes);
      if (node % atOnce === atOnce - 1) await new Promise(setImmediate);
    }
    levels.push(level);
    below = level;
  }
  return Buffer.concat(levels);
}

/** Returns the root of a stored tree. The root of an empty tree is the hash of an empty string. */
export function rootOf(nodes: Buffer): Buffer {
  return nodes.length === 0 ? sha256('') : nodes.subarray(-hashBytes);
}
