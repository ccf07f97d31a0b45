import { z } from 'zod';
import { idOf, orNull, text, url } from '#app/platform/input-fields.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { couponMessages } from './coupon-messages.ts';

const code = text(64).pipe(z.string().min(1, 'Code is required'));

/** Parses a coupon's form. Times are typed in the site's time zone. */
export const couponInput = (timeZone: string) => {
  const time = z.string().transform((typed, context): Date => {
    const moment = fromWallClock(typed.trim(), timeZone);
    if (moment) return moment;
    context.addIssue({ code: 'custom', message: couponMessages.noTime });
    return z.NEVER;
  });
  return z
    .object({
      merchant_id: idOf('Merchant is required'),
      code,
      title: text(200).pipe(z.string().min(1, 'Title is required')),
      terms: text(2_000).default(''),
      url: orNull(url),
      starts_at: orNull(time),
      ends_at: orNull(time),
    })
    .refine(({ starts_at, ends_at }) => !starts_at || !ends_at || starts_at < ends_at, {
      path: ['ends_at'],
      message: couponMessages.endsFirst,
    });
};

export type CouponInput = z.output<ReturnType<typeof couponInput>>;
