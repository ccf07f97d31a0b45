import { z } from 'zod';
import { text } from '#app/platform/input-fields.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

export const evidenceSiteMessages = {
  ownAddress: 'This is the address of this site',
  tooMany: 'You can add at most 20 sites',
  addFailed: 'Failed to add the site',
  removeFailed: 'Failed to remove the site',
  acceptFailed: 'Failed to accept the new days',
  fetchFailed: 'Failed to fetch from the site',
} as const;

/** The address of a site, without a path, since its API has a fixed path. */
export const evidenceSiteInput = z.object({
  role: z.enum(['witness', 'witnessed']),
  address: text(300).transform((typed, context) => {
    const url = safeUrl(typed.includes('://') ? typed : `https://${typed}`);
    if (typed === '') context.addIssue({ code: 'custom', message: 'Address is required' });
    else if (url === null) context.addIssue({ code: 'custom', message: 'Must be a valid URL' });
    return url === null ? '' : new URL(url).origin;
  }),
});
