/** Where browsers tell what the content policy of a page stopped (R57). */
export const policyReportPath = '/api/policy-reports';

/** What they send: one report by `report-uri`, a list by the Reporting API. */
export const policyReportTypes = ['application/csp-report', 'application/reports+json'] as const;

export function isPolicyReportType(type: string): type is (typeof policyReportTypes)[number] {
  return policyReportTypes.some((one) => one === type);
}
