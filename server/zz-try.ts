import { importCommand } from '#server/commands/import-command.ts';
try { await importCommand.parseAsync(); } catch (e) { console.error(e); process.exit(1); }
