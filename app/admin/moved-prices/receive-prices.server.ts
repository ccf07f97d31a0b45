import { createReadStream } from 'node:fs';
import { redirect } from 'react-router';
import { readUpload, sentence } from '#app/admin/imports/new-source.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import {
  feedFilePath,
  removeFeedFile,
  uploadSizeLimits as limits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { stagePrices } from '#app/features/moved-prices/stage-prices.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

export interface RefusedPrices {
  message: string;
  values: Record<string, string>;
}

/** Reads an uploaded file of prices and redirects to its preview, or returns why there is none. */
export async function receivePrices(
  { db, env }: AppServices,
  actor: string,
  request: Request,
): Promise<Response | RefusedPrices> {
  let values: Record<string, string> = {};
  try {
    const { file, fields } = await readUpload(request, env.dataDir);
    values = fields;
    if (!file) return { message: 'Choose a file.', values };
    const { source, deal, date, price } = fields;
    try {
      const content = createReadStream(feedFilePath(env.dataDir, file.stored));
      const choices = { deal, date, price };
      const id = await stagePrices(db, content, {
        name: file.name,
        actor,
        source: source ?? '',
        limits,
        choices,
      });
      return redirect(`/admin/move-in/price-histories/${id}`);
    } finally {
      await removeFeedFile(env.dataDir, file.stored);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { message: sentence(error.message), values };
  }
}
