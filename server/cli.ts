import { errorCode } from '#database/error-code.ts';
import { runCommandLine } from '#server/command-line.ts';

/**
 * The file `.env` is in the folder in which the site is started. The environment takes precedence.
 */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (errorCode(error) !== 'ENOENT') throw error;
}
const code = await runCommandLine(process.argv.slice(2));
// The process exits at once, so that resources that a failed command left open do not keep it
// alive.
if (code !== null) process.exit(code);
