import { crc32, deflateRawSync } from 'node:zlib';

interface ZippedFile {
  name: string;
  content: string | Buffer;
  /** Whether the archive declares the file as encrypted. */
  isEncrypted?: boolean;
  /** The size that the archive declares, if it differs from the real one. */
  toldSize?: number;
}

/**
 * Returns a ZIP archive of these files. All have the same time, so that the same files give the
 * same bytes.
 */
export function makeZip(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isEncrypted = false, toldSize } of files) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(isEncrypted ? 1 : 0, 0);
    facts.writeUInt16LE(8, 2); // deflate
    facts.writeUInt16LE(0x21, 6); // January 1, 1980, the earliest date in the format
    facts.writeUInt32LE(crc32(plain), 8);
    facts.writeUInt32LE(packed.length, 12);
    facts.writeUInt32LE(toldSize ?? plain.length, 16);
    facts.writeUInt16LE(Buffer.byteLength(name), 20);
    const version = Buffer.from([20, 0]);
    const noExtra = Buffer.alloc(2);
    const local = [
      Buffer.from('PK\u0003\u0004'),
      version,
      facts,
      noExtra,
      Buffer.from(name),
      packed,
    ];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    centrals.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002'),
        version,
        version,
        facts,
        noExtra,
        place,
      ]).subarray(),
      Buffer.from(name),
    );
    locals.push(...local);
    offset += Buffer.concat(local).length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\u0005\u0006'), end]);
}
