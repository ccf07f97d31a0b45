import { data } from 'react-router';
import type { ReportResult } from '#app/features/reports/report-deal.server.ts';
import type { ReportAnswer } from '#app/features/reports/report-form.tsx';
import { reportMessages } from '#app/features/reports/report-messages.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';

/** Responds to a report as its form expects. `noted` is the message for an accepted report. */
export function answerReport(
  result: ReportResult,
  user: { emailVerified: boolean } | null,
  noted: string = reportMessages.noted,
) {
  const answer = (said: Partial<ReportAnswer>, status: number, headers = {}) =>
    data<ReportAnswer>(
      { ok: false, message: '', needsCheck: !user?.emailVerified, question: null, ...said },
      { status, headers },
    );
  if (result.ok) return answer({ ok: true, message: noted }, 200);
  switch (result.reason) {
    case 'gone':
      return answer({ message: result.message }, 404);
    case 'refused':
      return answer({ message: result.message }, 422);
    case 'captcha': {
      const { message, question = null } = result;
      return answer({ message, question }, 422);
    }
    case 'too-often':
      return answer({ message: tooManyAttempts }, 429, retryAfter(result));
  }
}
