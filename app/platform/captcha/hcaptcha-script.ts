interface HcaptchaWidget {
  render(
    container: HTMLElement,
    options: {
      sitekey: string;
      theme: 'light';
      size: 'normal';
      tabindex: number;
      callback(token: string): void;
      'expired-callback'(): void;
      'error-callback'(code: string): void;
    },
  ): string;
  reset(id: string): void;
  remove(id: string): void;
}

declare global {
  interface Window {
    hcaptcha?: HcaptchaWidget;
  }
}

const address = 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off';
let loading: Promise<HcaptchaWidget> | undefined;

/**
 * Loads hCaptcha's script when the first form needs it. Used only on sites whose operator chose
 * hCaptcha.
 */
export function loadHcaptcha(): Promise<HcaptchaWidget> {
  loading ??= new Promise<HcaptchaWidget>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.async = true;
    script.addEventListener('load', () =>
      window.hcaptcha ? resolve(window.hcaptcha) : reject(new Error('the widget did not start')),
    );
    script.addEventListener('error', () => reject(new Error('the widget could not be loaded')));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
