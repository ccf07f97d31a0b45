import { errorCode } from '#database/error-code.ts';
import { runCommandLine } from '#server/command-line.ts';

/** A file `.env` in the folder that the site is started in; the environment takes precedence. */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (errorCode(error) !== 'ENOENT') throw error;
}
const code = await runCommandLine(process.argv.slice(2));
// Exits at once, so resources that a failed command left open don't keep the process alive.
if (code !== null) process.exit(code);
