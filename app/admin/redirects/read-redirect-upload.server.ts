import { importRedirects } from '#app/features/catalog/redirect-imports.server.ts';
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
      fileName: string;
      oldSite: string;
      lines: RedirectLine[];
      /** The import, or null if nothing changed. */
      imported: { id: number } | null;
    };

/** Reads the posted or previewed file, and imports its accepted rows on request. */
export async function readRedirectUpload(
  { form, text, intent, services: { db, env } }: Post,
  actor: string,
): Promise<RedirectUploadOutcome> {
  const oldSite = text('old_site').trim().slice(0, 300);
  const { content, name } = await readPreviewedFile(form);
  if (content.length === 0) return { ok: false, message: 'Choose a file.', oldSite };
  if (content.length > mostPreviewedBytes)
    return { ok: false, message: 'The file is larger than 700 KB.', oldSite };
  const file = await readRedirectFile(db, content, { origin: env.origin, oldSite });
  if (!file.ok) return { ...file, oldSite };
  const { lines, accepted } = file;
  const fileName = (name || text('file_name')).slice(0, 200);
  const imported =
    intent === 'import' ? await importRedirects(db, { fileName, actor }, accepted) : null;
  return { ok: true, content: content.toString('base64'), fileName, oldSite, lines, imported };
}
