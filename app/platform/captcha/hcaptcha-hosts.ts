/** The hosts that the content policy allows for hCaptcha's widget, if its keys are set. */
export const hcaptchaHosts = ['https://hcaptcha.com', 'https://*.hcaptcha.com'] as const;
