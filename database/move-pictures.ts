import { buffer } from 'node:stream/consumers';
import type { MediaStore } from '#database/media-store.ts';

export interface MovedPictures {
  moved: number;
  bytes: number;
  /** The number of pictures that were already in the target. */
  there: number;
}

/**
 * Copies every picture from `from` to `to`, and removes the original once the copy is complete,
 * unless `keep` is set. The move can be killed and resumed, because each picture is always complete
 * in at least one store.
 */
export async function movePictures(
  from: MediaStore,
  to: MediaStore,
  { keep, tell }: { keep: boolean; tell?: (done: MovedPictures) => void },
): Promise<MovedPictures> {
  const done: MovedPictures = { moved: 0, bytes: 0, there: 0 };
  for (const name of await from.list()) {
    const found = await from.find(name);
    if (!found) continue; // The picture was removed in the meantime.
    if ((await to.find(name))?.bytes === found.bytes) done.there += 1;
    else {
      await to.write(name, await buffer(found.read()));
      if ((await to.find(name))?.bytes !== found.bytes) throw new Error(`${name} was not copied.`);
      done.moved += 1;
      done.bytes += found.bytes;
    }
    if (!keep) await from.remove(name);
    tell?.(done);
  }
  return done;
}
