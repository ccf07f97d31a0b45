import { readText } from '#app/platform/read-text.ts';

/** bytes; a form of the admin has at most 1 MB, and a preview posts the file as base64 */
export const mostPreviewedBytes = 700 * 1024;

/** Returns the chosen file, the one that a preview posts again, or otherwise an empty one. */
export async function readPreviewedFile(
  form: FormData,
): Promise<{ content: Buffer; name: string }> {
  const file = form.get('file');
  return file instanceof File && file.size > 0
    ? { content: Buffer.from(await file.arrayBuffer()), name: file.name }
    : { content: Buffer.from(readText(form, 'content'), 'base64'), name: '' };
}
