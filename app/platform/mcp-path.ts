/** Where assistants ask: programs that post JSON, and no browser of another site. */
export const mcpPath = '/mcp';
