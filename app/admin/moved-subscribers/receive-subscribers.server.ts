import { createReadStream } from 'node:fs';
import { redirect } from 'react-router';
import { readUpload, sentence } from '#app/admin/imports/new-source.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import {
  feedFilePath,
  removeFeedFile,
  uploadSizeLimits as limits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { stageSubscribers } from '#app/features/moved-subscribers/stage-subscribers.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

export interface RefusedList {
  message: string;
  values: Record<string, string>;
}

/** Reads an uploaded list and redirects to its preview, or returns why there is none. */
export async function receiveSubscribers(
  { db, env, now }: AppServices,
  actor: string,
  request: Request,
): Promise<Response | RefusedList> {
  let values: Record<string, string> = {};
  try {
    const { file, fields } = await readUpload(request, env.dataDir);
    values = fields;
    if (!file) return { message: 'Choose a file.', values };
    const { email, status, consent } = fields;
    try {
      const source = createReadStream(feedFilePath(env.dataDir, file.stored));
      const id = await stageSubscribers(db, source, {
        name: file.name,
        actor,
        limits,
        choices: { email, status, consent },
        now: now(),
      });
      return redirect(`/admin/move-in/subscribers/${id}`);
    } finally {
      await removeFeedFile(env.dataDir, file.stored);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { message: sentence(error.message), values };
  }
}
