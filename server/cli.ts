import { errorCode } from '#database/error-code.ts';
import { runCommandLine } from '#server/command-line.ts';

/** Reads `.env` from the current folder. Environment variables take precedence. */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (errorCode(error) !== 'ENOENT') throw error;
}
const code = await runCommandLine(process.argv.slice(2));
// Exits immediately, because a failed command may leave connections open.
if (code !== null) process.exit(code);
