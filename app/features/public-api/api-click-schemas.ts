import { z } from 'zod';
import { address, count, id, merchantName, named, page } from './api-schemas.ts';

const day = z.iso.date().describe('A day in UTC.');
const clicks = count.describe('A visitor’s clicks on one deal count once in half an hour.');
const range = {
  from: day,
  to: day.describe('The last day of the range. Today in UTC is not complete yet.'),
};

export const clickDays = named(
  'ClickDays',
  z.object({
    ...range,
    total: count,
    data: z.array(z.object({ day, clicks })).describe('Every day of the range, oldest first.'),
  }),
);

export const clickedPlaces = named(
  'ClickedPlaces',
  z.object({
    ...range,
    data: z.array(
      z.object({
        id: z.int().min(0).describe('The id of the feed; 0 for deals without a feed.'),
        name: z.string().nullable().describe('The name; null if deleted.'),
        clicks,
      }),
    ),
    page,
  }),
);

export const clickedDeals = named(
  'ClickedDeals',
  z.object({
    ...range,
    data: z.array(
      z.object({
        id,
        slug: z.string(),
        title: z.string(),
        url: address,
        merchant: merchantName,
        is_live: z.boolean(),
        clicks,
      }),
    ),
    page,
  }),
);
