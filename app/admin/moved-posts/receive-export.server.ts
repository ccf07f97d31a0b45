import { createReadStream } from 'node:fs';
import { redirect } from 'react-router';
import { readUpload, sentence } from '#app/admin/imports/new-source.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import {
  feedFilePath,
  removeFeedFile,
  uploadSizeLimits as limits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { stageMove } from '#app/features/moved-posts/stage-move.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/** Reads an uploaded export and redirects to its preview, or returns why there is none. */
export async function receiveExport(
  { db, env }: AppServices,
  actor: string,
  request: Request,
): Promise<Response | { message: string }> {
  try {
    const { file } = await readUpload(request, env.dataDir);
    if (!file) return { message: 'Choose a file.' };
    try {
      const source = createReadStream(feedFilePath(env.dataDir, file.stored));
      const { origin } = env;
      const id = await stageMove(db, source, { name: file.name, actor, origin, limits });
      return redirect(`/admin/move-in/posts/${id}`);
    } finally {
      await removeFeedFile(env.dataDir, file.stored);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { message: sentence(error.message) };
  }
}
