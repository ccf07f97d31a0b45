/** The path for AI assistants: clients that post JSON, and no browser of another site. */
export const mcpPath = '/mcp';
