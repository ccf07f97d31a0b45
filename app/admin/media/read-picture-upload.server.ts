import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { mostUploadedBytes } from '#app/features/pictures/library-picture.ts';

interface UploadedFile {
  name: string;
  /** The content, cut off one byte past the limit, which suffices to reject the picture. */
  content: Buffer;
}

/** files of one form; a form has at most 20 MB (`server/upload-body.ts`) */
const mostFiles = 40;

/** Reads the files of a form. Returns `null` for a body that is not a valid form, or is cut off. */
export async function readPictureUpload(request: Request): Promise<UploadedFile[] | null> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data') || !request.body) return null;
  const reading: Promise<UploadedFile>[] = [];
  const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = new Busboy({
        headers: { 'content-type': type },
        limits: { fields: 5, fieldSize: 1_000, fileSize: mostUploadedBytes + 1, files: mostFiles },
      });
      parser.on('file', (_field, stream, name) => {
        // A part that ends early emits an error. Without a listener, it would end the process.
        stream.on('error', reject);
        if (!name) return void stream.resume();
        const file = buffer(stream).then((content) => ({ name, content }));
        file.catch(reject);
        reading.push(file);
      });
      parser.on('error', reject);
      parser.on('finish', resolve);
      body.on('error', reject);
      body.pipe(parser);
    });
    return await Promise.all(reading);
  } catch {
    body.destroy();
    return null;
  }
}
