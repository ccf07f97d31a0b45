/** The hosts that hCaptcha's widget needs in the content policy, only if its keys are set. */
export const hcaptchaHosts = ['https://hcaptcha.com', 'https://*.hcaptcha.com'] as const;
