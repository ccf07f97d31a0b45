export type CaptchaProvider = 'ALTCHA' | 'hCaptcha';

/** The messages that visitors read when the check fails. The messages name the provider in use. */
export const captchaMessages = {
  missing: 'Please complete the security verification.',
  noToken: (provider: CaptchaProvider) => `No ${provider} token provided`,
  failed: (provider: CaptchaProvider) => `${provider} verification failed`,
  error: (provider: CaptchaProvider, message: string) =>
    `${provider} verification error: ${message}`,
  expired: (provider: CaptchaProvider) => `${provider} token expired. Please try again.`,
  wrongAnswer: 'That was not the right answer. Please answer the new question.',
  tooManyQuestions: 'Too many attempts. Please wait a moment and try again.',
} as const;

/** The names of the form fields that the check reads. */
export const captchaFields = {
  token: 'captcha_token',
  question: 'captcha_question',
  answer: 'captcha_answer',
} as const;
