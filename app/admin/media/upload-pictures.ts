import { libraryMessages, mostUploadedBytes } from '#app/features/pictures/library-picture.ts';
import { type UploadAnswer, uploadMessages } from './upload-answer.ts';

const address = '/admin/media/upload';

/** Uploads files one by one, so that a refused file does not stop the others. */
export async function uploadPictures(
  files: readonly File[],
  onProgress: (done: number) => void = () => {},
): Promise<UploadAnswer> {
  const all: UploadAnswer = { pictures: [], known: 0, failures: [] };
  for (const [done, file] of files.entries()) {
    onProgress(done);
    const answer = await uploadOne(file);
    all.pictures.push(...answer.pictures);
    all.known += answer.known;
    all.failures.push(...answer.failures);
  }
  return all;
}

async function uploadOne(file: File): Promise<UploadAnswer> {
  const fail = (message: string): UploadAnswer => ({
    pictures: [],
    known: 0,
    failures: [{ name: file.name, message }],
  });
  if (file.size > mostUploadedBytes) return fail(libraryMessages.tooLarge);
  const body = new FormData();
  body.set('file', file);
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(address, { method: 'POST', body, headers });
    const isAnswer = response.headers.get('content-type')?.startsWith('application/json');
    if (!isAnswer) return fail(uploadMessages.interrupted);
    const answer = (await response.json()) as UploadAnswer;
    return answer.pictures.length + answer.failures.length > 0
      ? answer
      : fail(uploadMessages.interrupted);
  } catch {
    return fail(uploadMessages.interrupted);
  }
}

/** Returns the pictures that were dropped or pasted; pasted text has none. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
