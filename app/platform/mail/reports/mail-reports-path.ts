/**
 * The path for providers' reports of bounces and complaints. The providers send no cookies, and are
 * authenticated by a signature.
 */
const mailReportsPath = /^\/webhooks\/mail\/[a-z]+$/;

/** Amazon SNS sends JSON as plain text. */
const types: ReadonlySet<string | undefined> = new Set(['application/json', 'text/plain']);

export const isMailReportsPath = (pathname: string) => mailReportsPath.test(pathname);
export const isMailReportType = (type: string | undefined) => types.has(type);
