/** The code of an error of Node (`ENOENT`) or of PostgreSQL (`57P03`); empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/**
 * What went wrong, in words, whatever was thrown: an error may leave the words to those it gathers (no address of a name
 * answered), and libraries throw plain objects too. Those are named by their fields, never by what is in them.
 */
export function errorWords(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, errors }: { message?: unknown; errors?: unknown } = error;
  if (typeof message === 'string' && message !== '') return message;
  const gathered = Array.isArray(errors) ? errors.filter((one) => one !== error) : [];
  if (gathered.length > 0) return [...new Set(gathered.map(errorWords))].join('; ');
  if (error instanceof Error) return error.name;
  const fields = Object.keys(error).slice(0, 10);
  return fields.length > 0 ? `an object with ${fields.join(', ')}` : 'an object without words';
}
