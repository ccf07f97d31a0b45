import { errorCode } from '#database/error-code.ts';
import { runCommandLine } from '#server/command-line.ts';

/** A file `.env` in the folder that the site is started in; the environment goes before it. */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (errorCode(error) !== 'ENOENT') throw error;
}
const code = await runCommandLine(process.argv.slice(2));
// At once: what a failed command left open does not hold the process.
if (code !== null) process.exit(code);
