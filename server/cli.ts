import { errorCode } from '#database/error-code.ts';
import { runCommandLine } from '#server/command-line.ts';

/** `.env` is read from the current folder. Variables of the environment take precedence. */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (errorCode(error) !== 'ENOENT') throw error;
}
const code = await runCommandLine(process.argv.slice(2));
// Exits at once, because a failed command may leave connections open.
if (code !== null) process.exit(code);
