/**
 * Returns the code of an error from Node (`ENOENT`) or PostgreSQL (`57P03`), or an empty string.
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/**
 * Describes any thrown value. An aggregate error may have messages only in the errors that it
 * contains, for example if no address of a host responded. Libraries also throw plain objects,
 * which are described by their field names, never by their content.
 */
export function errorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, errors }: { message?: unknown; errors?: unknown } = error;
  if (typeof message === 'string' && message !== '') return message;
  const gathered = Array.isArray(errors) ? errors.filter((one) => one !== error) : [];
  if (gathered.length > 0) return [...new Set(gathered.map(errorMessage))].join('; ');
  if (error instanceof Error) return error.name;
  const fields = Object.keys(error).slice(0, 10);
  return fields.length > 0 ? `an object with ${fields.join(', ')}` : 'an object without a message';
}
