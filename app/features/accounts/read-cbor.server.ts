/** What of CBOR (RFC 8949) an authenticator writes. A map's keys are numbers and texts (CTAP2's canonical form). */
export type Cbor = number | string | Buffer | boolean | null | Cbor[] | Map<number | string, Cbor>;

const deepest = 4;

/** The first item in `bytes`, and where it ends. Throws a `RangeError` for what is cut off, too deep, or not of the kinds above. */
export function readCbor(bytes: Buffer, at = 0, depth = 0): { value: Cbor; end: number } {
  if (depth > deepest) throw new RangeError('nested too deep');
  const first = bytes.readUInt8(at);
  const kind = first >> 5;
  const { size, end } = readSize(bytes, at, first & 0x1f);
  if (kind === 0) return { value: size, end };
  if (kind === 1) return { value: -1 - size, end };
  if (kind === 2 || kind === 3) {
    if (end + size > bytes.length) throw new RangeError('cut off');
    const part = bytes.subarray(end, end + size);
    return { value: kind === 2 ? part : part.toString(), end: end + size };
  }
  if (kind === 4) return readList(bytes, end, size, depth);
  if (kind === 5) return readMap(bytes, end, size, depth);
  if (kind === 7 && size === 20) return { value: false, end };
  if (kind === 7 && size === 21) return { value: true, end };
  if (kind === 7 && size === 22) return { value: null, end };
  throw new RangeError(`kind ${kind} is not read here`);
}

/** The number behind the first byte: a length, a count, or the value itself. */
function readSize(bytes: Buffer, at: number, info: number): { size: number; end: number } {
  if (info < 24) return { size: info, end: at + 1 };
  if (info === 24) return { size: bytes.readUInt8(at + 1), end: at + 2 };
  if (info === 25) return { size: bytes.readUInt16BE(at + 1), end: at + 3 };
  if (info === 26) return { size: bytes.readUInt32BE(at + 1), end: at + 5 };
  throw new RangeError('a size that is not read here');
}

function readList(bytes: Buffer, at: number, count: number, depth: number) {
  const value: Cbor[] = [];
  let end = at;
  for (let n = 0; n < count; n += 1) {
    const item = readCbor(bytes, end, depth + 1);
    value.push(item.value);
    ({ end } = item);
  }
  return { value, end };
}

function readMap(bytes: Buffer, at: number, count: number, depth: number) {
  const value = new Map<number | string, Cbor>();
  let end = at;
  for (let n = 0; n < count; n += 1) {
    const key = readCbor(bytes, end, depth + 1);
    if (typeof key.value !== 'number' && typeof key.value !== 'string') {
      throw new RangeError('a key that is not read here');
    }
    if (value.has(key.value)) throw new RangeError('a key twice');
    const item = readCbor(bytes, key.end, depth + 1);
    value.set(key.value, item.value);
    ({ end } = item);
  }
  return { value, end };
}
