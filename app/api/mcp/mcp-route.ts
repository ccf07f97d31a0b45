import { answerMcp, refuseReading } from './answer-mcp.server.ts';

/**
 * The endpoint for assistants (Model Context Protocol). `/developers` explains how to connect one.
 */
export const action = answerMcp;
export const loader = refuseReading;
