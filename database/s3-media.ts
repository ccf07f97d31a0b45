import { Readable } from 'node:stream';
import { mediaName, type MediaStore } from '#database/media-store.ts';
import type { Bucket } from '#database/s3-bucket.ts';

const prefix = 'media/';

/** Opens the picture store under `media/` in a bucket. */
export function openS3Media(bucket: Bucket): MediaStore {
  const listNames = async (folder = '') =>
    (await bucket.list(prefix + (folder && `${folder}/`)))
      .map(({ key }) => key.slice(prefix.length))
      .filter((name) => mediaName.test(name));
  const store: MediaStore = {
    async find(name) {
      if (!mediaName.test(name)) return null;
      const found = await bucket.find(prefix + name);
      const read = () => Readable.from(bucket.read(prefix + name), { objectMode: false });
      return found && { ...found, read };
    },
    async write(name, content) {
      if (!mediaName.test(name)) throw new Error(`${name} is not a name of a stored picture.`);
      await bucket.put(prefix + name, content);
    },
    async remove(name) {
      if (mediaName.test(name)) await bucket.remove(prefix + name);
    },
    list: listNames,
    async listFolders() {
      const names = (await listNames()).filter((name) => name.includes('/'));
      return [...new Set(names.map((name) => name.slice(0, name.indexOf('/'))))];
    },
    countFreeBytes: async () => Infinity,
    within: () => store,
  };
  return store;
}
