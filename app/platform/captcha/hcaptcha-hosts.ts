/** What hCaptcha's widget needs of the page's content policy; only where its keys are set. */
export const hcaptchaHosts = ['https://hcaptcha.com', 'https://*.hcaptcha.com'] as const;
