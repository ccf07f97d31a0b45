/** The path for AI assistants, which post JSON and are no browser of another site. */
export const mcpPath = '/mcp';
