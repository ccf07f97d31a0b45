/** For a visitor whose browser runs no scripts: asked in words, answered in a field, good for one attempt. */
export interface CaptchaQuestion {
  /** Signed by the server; the form sends it back. */
  token: string;
  /** "What is seven plus four?" */
  text: string;
}
