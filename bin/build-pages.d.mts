/** Builds the pages where the sources say something else by now. Ends the process where that fails. */
export function ensureBuilt(): void;
export const sourceFolders: readonly string[];
