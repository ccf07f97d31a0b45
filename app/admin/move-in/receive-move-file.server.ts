import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { redirect } from 'react-router';
import { readUpload, sentence } from '#app/admin/imports/new-source.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import {
  feedFilePath,
  removeFeedFile,
  uploadSizeLimits as limits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/** The reason why a file was refused, with the fields that were typed. */
export interface RefusedMove {
  message: string;
  values: Record<string, string>;
}

interface MoveFile {
  name: string;
  fields: Record<string, string>;
  limits: typeof limits;
}

/**
 * Reads an uploaded file for an import. `stage` stores the rows and returns the URL of their
 * preview. Redirects to this URL, or returns the reason why the file was refused.
 */
export async function receiveMoveFile(
  { env }: Pick<AppServices, 'env'>,
  request: Request,
  stage: (source: Readable, file: MoveFile) => Promise<string>,
): Promise<Response | RefusedMove> {
  let values: Record<string, string> = {};
  try {
    const { file, fields } = await readUpload(request, env.dataDir);
    values = fields;
    if (!file) return { message: 'Choose a file.', values };
    try {
      const source = createReadStream(feedFilePath(env.dataDir, file.stored));
      return redirect(await stage(source, { name: file.name, fields, limits }));
    } finally {
      await removeFeedFile(env.dataDir, file.stored);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { message: sentence(error.message), values };
  }
}
