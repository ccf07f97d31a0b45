/** Where mail providers post bounces and complaints: programs without cookies, whose signature decides. */
const mailReportsPath = /^\/webhooks\/mail\/[a-z]+$/;

/** Amazon SNS sends JSON as plain text. */
const types: ReadonlySet<string | undefined> = new Set(['application/json', 'text/plain']);

export const isMailReportsPath = (pathname: string) => mailReportsPath.test(pathname);
export const isMailReportType = (type: string | undefined) => types.has(type);
