import { z } from 'zod';
import { menuHref } from '#app/features/site-settings/menu-input.ts';
import { idOf, orNull, readAs, text, tick } from '#app/platform/input-fields.ts';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { hasCategory, slotKindNames, slotPlaceNames } from './slot-kinds.ts';
import { slotMessages } from './slot-messages.ts';

/** Creates the schema of an optional text, which `read` parses. */
const optional = <Value>(read: (typed: string) => Value | null, message: string) =>
  orNull(
    readAs(
      (typed) => read(typed.trim()),
      () => message,
    ),
  );

/** Parses the form of an ad or announcement. Times are typed in the site's time zone. */
export const slotInput = (timeZone: string) => {
  const time = optional((typed) => fromWallClock(typed, timeZone), 'Must be a date and a time');
  return z
    .object({
      kind: z.enum(slotKindNames, 'Choose a kind'),
      place: z.enum(slotPlaceNames, 'Choose a place'),
      title: text(120).pipe(z.string().min(1, 'Title is required')),
      text: text(500).default(''),
      url: optional(menuHref, slotMessages.wrongLink),
      picture_url: optional(pictureAddress, slotMessages.notInLibrary),
      picture_alt: text(200).default(''),
      category_id: orNull(idOf(slotMessages.noSuchCategory)),
      starts_at: time,
      ends_at: time,
      is_on: tick,
    })
    .superRefine(({ kind, place, url, picture_url, category_id, starts_at, ends_at }, context) => {
      const refuse = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (kind === 'ad' && url === null) refuse('url', slotMessages.adNeedsLink);
      if (place === 'bar' && picture_url) refuse('picture_url', slotMessages.noPictureInBar);
      if (category_id && !hasCategory(place)) refuse('category_id', slotMessages.noCategoryHere);
      if (starts_at && ends_at && ends_at <= starts_at) {
        refuse('ends_at', 'Must be after the start');
      }
    });
};

export type SlotInput = z.output<ReturnType<typeof slotInput>>;
