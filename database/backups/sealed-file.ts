import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';

// The format of a sealed file: `DHS1`, a salt, a nonce, eight bytes to verify the key, the sealed
// bytes, and their tag. The cipher is AES-256-GCM with a key from scrypt (RFC 7914) at Node's
// default cost.

const mark = Buffer.from('DHS1');
const sizes = { salt: 16, nonce: 12, proof: 8, tag: 16 };
const headBytes = mark.length + sizes.salt + sizes.nonce + sizes.proof;

/** An error with a message for the owner of the file. */
class SealedFileError extends Error {}

/** Seals a stream. Without the passphrase, no one can read the result or change it unnoticed. */
export function seal(words: string) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(sizes.salt);
    const nonce = randomBytes(sizes.nonce);
    const key = keyOf(words, salt);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    yield Buffer.concat([mark, salt, nonce, proofOf(key)]);
    for await (const bytes of source) yield cipher.update(bytes);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  };
}

/**
 * Returns the bytes of a file, unsealed with the passphrase. Throws `SealedFileError` if a sealed
 * file has no passphrase or a wrong one. Also throws if a passphrase is given for an unsealed file.
 * Anyone with access to the folder could have put that file there. Changes are detected at the end,
 * so nothing may be used before.
 */
export async function readUnsealed(file: string, words: string | null): Promise<Readable> {
  const handle = await open(file, 'r');
  const head = Buffer.alloc(headBytes);
  const tag = Buffer.alloc(sizes.tag);
  let bytes = 0;
  try {
    bytes = (await handle.stat()).size;
    await handle.read(head, 0, headBytes, 0);
    if (!head.subarray(0, mark.length).equals(mark)) {
      if (words === null) return createReadStream(file);
      throw new SealedFileError(
        'The backup is not sealed, but BACKUP_KEY is set. If you trust the file, leave BACKUP_KEY unset for this command.',
      );
    }
    await handle.read(tag, 0, sizes.tag, Math.max(headBytes, bytes - sizes.tag));
  } finally {
    await handle.close();
  }
  if (words === null)
    throw new SealedFileError(
      'The backup is sealed. Set BACKUP_KEY to the passphrase that it was made with.',
    );
  let at = mark.length;
  const [salt, nonce, proof] = [sizes.salt, sizes.nonce, sizes.proof].map((size) =>
    head.subarray(at, (at += size)),
  ) as [Buffer, Buffer, Buffer];
  const key = keyOf(words, salt);
  if (!proofOf(key).equals(proof)) {
    throw new SealedFileError('The backup was sealed with another BACKUP_KEY.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag);
  const sealed = createReadStream(file, {
    start: headBytes,
    end: Math.max(headBytes, bytes - sizes.tag - 1),
  });
  return Readable.from(unseal(sealed, decipher), { objectMode: false });
}

async function* unseal(
  source: AsyncIterable<Buffer>,
  decipher: ReturnType<typeof createDecipheriv>,
): AsyncGenerator<Buffer> {
  for await (const bytes of source) yield decipher.update(bytes);
  try {
    yield decipher.final();
  } catch (error) {
    throw new SealedFileError('The backup is damaged: it has changed since it was sealed.', {
      cause: error,
    });
  }
}

function keyOf(words: string, salt: Buffer): Buffer {
  return scryptSync(words, salt, 32);
}

function proofOf(key: Buffer): Buffer {
  return createHash('sha256')
    .update('deal-hub backup')
    .update(key)
    .digest()
    .subarray(0, sizes.proof);
}
