import { errorCode } from '#database/error-code.ts';

/** Settings in a file `.env` of the folder the site is started in; what the environment says goes before it. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
