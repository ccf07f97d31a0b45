/** The path to which browsers report violations of a page's content policy. */
export const policyReportPath = '/api/policy-reports';

/** Types of the reports: one report by `report-uri`, a list by the Reporting API. */
export const policyReportTypes = ['application/csp-report', 'application/reports+json'] as const;

export function isPolicyReportType(type: string): type is (typeof policyReportTypes)[number] {
  return policyReportTypes.some((one) => one === type);
}
