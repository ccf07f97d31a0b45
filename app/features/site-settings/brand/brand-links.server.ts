import type { SiteSettings } from '../site-settings.ts';
import { brandStyleAddress } from './brand-style.server.ts';
import { firstFontFile } from './font-faces.server.ts';
import { iconHash } from './icon-files.ts';
import { sharePictureAddress } from './share-picture.server.ts';

export type BrandLinks = ReturnType<typeof brandLinks>;

/** Returns the parts of the owner's brand that the head of every page needs. */
export function brandLinks(settings: SiteSettings) {
  return {
    iconHash: iconHash(settings.iconUrl),
    style: brandStyleAddress(settings),
    sharePicture: sharePictureAddress(settings),
    // Absent for the default font, so that pages without a custom font are unchanged.
    ...(settings.font !== '' && { fontFile: firstFontFile(settings.font) }),
  };
}
