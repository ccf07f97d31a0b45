import { data } from 'react-router';

/** fields; our longest form, the columns of a feed, has a few hundred */
const mostFields = 2000;

/**
 * Parses the form of a request. No other code parses bodies. Separators are counted first, since
 * fields cost a parser more than bytes. Half a million empty fields in 1 MB took two seconds.
 * Throws the router's response: 415 for a body that is not a form, 413 for too many fields, 400 for
 * a malformed one. `server/read-body.ts` limits bytes.
 */
export async function readFormBody(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  const separator = separatorOf(type);
  if (separator === null) throw data(null, { status: 415 });
  const body = Buffer.from(await request.arrayBuffer());
  if (countUpTo(mostFields, body, separator) > mostFields) throw data(null, { status: 413 });
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    forms.set(request, form);
    return form;
  } catch {
    throw data(null, { status: 400 });
  }
}

const forms = new WeakMap<Request, FormData>();

/**
 * Returns the form that was read from a request, since its body can be read only once. Returns null
 * if no form was read.
 */
export function formReadOf(request: Request): FormData | null {
  return forms.get(request) ?? null;
}

/** Returns the separator between two fields, or null if the content type is not that of a form. */
function separatorOf(contentType: string): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return '&';
  return type === 'multipart/form-data' ? '\n--' : null;
}

function countUpTo(most: number, body: Buffer, separator: string): number {
  let count = 0;
  for (let at = body.indexOf(separator); at >= 0 && count <= most; count++) {
    at = body.indexOf(separator, at + separator.length);
  }
  return count;
}
