import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

// argon2id with 19 MiB, two passes, one lane: the minimum recommended today.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashBytes = 32;
const saltBytes = 16;
/**
 * Each hash occupies a thread of Node's small pool. Too many at once would block file access and
 * DNS.
 */
const mostAtOnce = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Returns the hash in the usual notation, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost, hashBytes);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(hash)}`;
}

/** Hashes with the parameters of the stored hash. An unreadable hash matches no password. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const parts =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,88})\$([\w+/]{22,88})$/.exec(
      stored,
    );
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts;
  const expected = Buffer.from(hash, 'base64');
  const parameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const found = await derive(password, Buffer.from(salt, 'base64'), parameters, expected.length);
  return timingSafeEqual(found, expected);
}

async function derive(
  password: string,
  nonce: Buffer,
  parameters: typeof cost,
  tagLength: number,
): Promise<Buffer> {
  await takeTurn();
  try {
    // Normalizes accents, which keyboards type either composed or decomposed.
    const message = password.normalize('NFC');
    return await new Promise((resolve, reject) => {
      argon2('argon2id', { message, nonce, tagLength, ...parameters }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      );
    });
  } finally {
    giveTurn();
  }
}

function takeTurn(): Promise<void> | undefined {
  if (running < mostAtOnce) {
    running += 1;
    return undefined;
  }
  return new Promise((resolve) => waiting.push(resolve));
}

function giveTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

function plain(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
