import { answerMcp, refuseReading } from './answer-mcp.server.ts';

/** Where assistants ask (Model Context Protocol). `/developers` says how to connect one. */
export const action = answerMcp;
export const loader = refuseReading;
