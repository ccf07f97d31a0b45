/** The code of an error of Node (`ENOENT`) or of PostgreSQL (`57P03`); empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
