import { importRedirects } from '#app/features/catalog/editable-redirects.server.ts';
import {
  readRedirectFile,
  type RedirectLine,
} from '#app/features/moved-posts/read-redirect-file.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { mostPreviewedBytes, readPreviewedFile } from '../frame/read-previewed-file.server.ts';

export type RedirectUploadOutcome =
  | { ok: false; message: string; oldSite: string }
  | {
      ok: true;
      content: string;
      oldSite: string;
      lines: RedirectLine[];
      /** The id of an import that can be undone. */
      imported: number | null;
    };

/** Reads the posted or previewed file, and imports its accepted rows on request. */
export async function readRedirectUpload(
  { form, text, intent, services: { db, env } }: Post,
  actor: string,
): Promise<RedirectUploadOutcome> {
  const oldSite = text('old_site').trim().slice(0, 300);
  const { content } = await readPreviewedFile(form);
  if (content.length === 0) return { ok: false, message: 'Choose a file.', oldSite };
  if (content.length > mostPreviewedBytes)
    return { ok: false, message: 'The file is larger than 700 KB.', oldSite };
  const file = await readRedirectFile(db, content, { origin: env.origin, oldSite });
  if (!file.ok) return { ...file, oldSite };
  const { lines, accepted } = file;
  const imported =
    intent === 'import' && accepted.length > 0 ? await importRedirects(db, actor, accepted) : null;
  return { ok: true, content: content.toString('base64'), oldSite, lines, imported };
}
