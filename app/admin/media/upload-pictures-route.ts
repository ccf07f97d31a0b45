import { redirect } from 'react-router';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { libraryTable } from '#app/features/pictures/library-table.ts';
import { storeLibraryPicture } from '#app/features/pictures/store-library-picture.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Route } from './+types/upload-pictures-route';
import { readPictureUpload } from './read-picture-upload.server.ts';
import { describeUpload, type UploadAnswer, uploadMessages } from './upload-answer.ts';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'media.read');
  return redirect(libraryTable.path);
}

/** Stores uploaded pictures. Scripts that accept JSON get it; a form redirects to the library. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'media.write').id;
  const services = appServices(context);
  const files = await readPictureUpload(request);
  const answer: UploadAnswer = { pictures: [], known: 0, failures: [] };
  for (const { name, content } of files ?? []) {
    const stored = await storeLibraryPicture(services, content, { name, actor });
    if (!stored.ok) {
      answer.failures.push({ name, message: stored.message });
      continue;
    }
    answer.pictures.push(stored.picture);
    if (!stored.isNew) answer.known += 1;
  }
  if (request.headers.get('accept') === 'application/json') {
    return Response.json(answer, { status: answer.pictures.length > 0 ? 200 : 422 });
  }
  const { path } = libraryTable;
  if (!files) return redirectWithError(context, path, uploadMessages.interrupted);
  if (files.length === 0) return redirectWithError(context, path, uploadMessages.nothing);
  const words = describeUpload(answer);
  return answer.failures.length > 0
    ? redirectWithError(context, path, words)
    : redirectWithFlash(context, path, words);
}
