// Statements that sites sign in addition to checkpoints, verified using only WebCrypto.

/**
 * A site's statement that it will sign later days with another key, signed by both keys, in hex.
 */
export interface KeyChange {
  text: string;
  old_signature: string;
  new_signature: string;
}

/** A witness's signature on a checkpoint that it stores. */
export interface Cosignature {
  /** The address of the witness. */
  witness: string;
  /** The time in seconds since 1970. */
  time: number;
  key: string;
  signature: string;
}

const keyChange = /^Price log key change 1\nold ([0-9a-f]{64})\nnew ([0-9a-f]{64})\nchanged \S+\n$/;

export function writeKeyChange(old: string, next: string, changedAt: Date): string {
  return `Price log key change 1\nold ${old}\nnew ${next}\nchanged ${changedAt.toISOString()}\n`;
}

/**
 * Returns the text that a witness signs, in C2SP's tlog-cosignature format: time and checkpoint.
 */
export function writeCosigned(checkpoint: string, time: number): string {
  return `cosignature/v1\ntime ${time}\n${checkpoint}`;
}

/** Maps each key to its successor, according to statements that both keys signed. */
export type NextKeys = ReadonlyMap<string, string>;

/**
 * Verifies each statement once, since a hostile list may be long. Only the first valid statement
 * of a key counts.
 */
export async function readKeyChanges(changes: readonly KeyChange[]): Promise<NextKeys> {
  const nextKeys = new Map<string, string>();
  for (const { text, old_signature, new_signature } of changes) {
    const [, old = '', next = ''] = keyChange.exec(text) ?? [];
    if (old === '' || nextKeys.has(old)) continue;
    const isByOld = await isSigned(text, old_signature, old);
    if (isByOld && (await isSigned(text, new_signature, next))) nextKeys.set(old, next);
  }
  return nextKeys;
}

/** Returns whether a chain of signed statements connects one key to the other. */
export function leadsTo(from: string, to: string, nextKeys: NextKeys): boolean {
  let key: string | undefined = from;
  for (let steps = 0; key !== to && steps < nextKeys.size; steps++) {
    key = nextKeys.get(key);
    if (key === undefined) return false;
  }
  return key === to;
}

/** Verifies an Ed25519 signature; the signature and the raw public key are in hex. */
export async function isSigned(text: string, signature: string, key: string): Promise<boolean> {
  try {
    const usages: KeyUsage[] = ['verify'];
    const publicKey = await crypto.subtle.importKey('raw', fromHex(key), 'Ed25519', false, usages);
    const bytes = new TextEncoder().encode(text);
    return await crypto.subtle.verify('Ed25519', publicKey, fromHex(signature), bytes);
  } catch (error) {
    // A browser without Ed25519 cannot verify signatures. Invalid keys have no valid signature.
    if (error instanceof Error && error.name === 'NotSupportedError') throw error;
    return false;
  }
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
