/** The path for AI assistants, which post JSON and are not browsers. */
export const mcpPath = '/mcp';
