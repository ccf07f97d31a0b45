import { buffer } from 'node:stream/consumers';
import { keepDrawn } from '#app/features/pictures/draw-mail-picture.server.ts';
import { readBrandStyle } from '#app/features/site-settings/brand/brand-style.server.ts';
import { drawIcon } from '#app/features/site-settings/brand/draw-icon.server.ts';
import { readIconName } from '#app/features/site-settings/brand/icon-files.ts';
import {
  findSharePicture,
  readShareName,
} from '#app/features/site-settings/brand/share-picture.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';

interface BrandFile {
  type: string;
  /** Identifies the content, in the ETag. */
  tag: string;
  /** Whether the URL can have no other content, so that caches may keep it. */
  isCurrent: boolean;
  read(): Promise<Buffer>;
}

type Services = Pick<AppServices, 'db' | 'env'>;

/** Returns the file of a name under `/brand/`, or `null` for an unknown name. */
export async function findBrandFile(services: Services, name: string): Promise<BrandFile | null> {
  const tag = name.replaceAll(/[^\w-]/g, '-');
  const style = readBrandStyle(name);
  if (style) {
    const read = () => Promise.resolve(Buffer.from(style.css));
    return { type: 'text/css; charset=utf-8', tag, isCurrent: style.isCurrent, read };
  }
  const type = 'image/png';
  const share = readShareName(name);
  if (share) {
    const draw = await findSharePicture(openMedia(services), share);
    return draw && { type, tag, isCurrent: true, read: () => keepDrawn(services.db, tag, draw) };
  }
  const icon = readIconName(name);
  if (icon === null) return null;
  const master = await openMedia(services).find(`site/icon-${icon.hash}.png`);
  if (master === null) return null;
  const read = () =>
    keepDrawn(services.db, tag, async () => drawIcon(await buffer(master.read()), icon.file));
  return { type: icon.file === 'ico' ? 'image/x-icon' : type, tag, isCurrent: true, read };
}
