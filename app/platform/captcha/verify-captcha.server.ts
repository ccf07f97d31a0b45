import type { AppServices } from '#app/platform/app-context.server.ts';
import { refuseSolution } from '#app/platform/captcha/altcha.server.ts';
import {
  askQuestion,
  type CaptchaQuestion,
  isRightAnswer,
} from '#app/platform/captcha/ask-question.server.ts';
import {
  captchaFields,
  captchaMessages,
  type CaptchaProvider,
} from '#app/platform/captcha/captcha-messages.ts';
import { refuseHcaptchaToken } from '#app/platform/captcha/hcaptcha.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';

export type CaptchaAnswer =
  | { ok: true }
  /** The question for browsers without JavaScript, shown by `<CaptchaField question>`. */
  | { ok: false; message: string; question?: CaptchaQuestion };

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;

export function captchaProvider({ env }: Pick<AppServices, 'env'>): CaptchaProvider {
  return env.hcaptcha ? 'hCaptcha' : 'ALTCHA';
}

/** Checks whether a person sent this form. Actions call it first. Any attempt spends the token. */
export async function verifyCaptcha(
  services: Services,
  form: FormData | string,
  address: string,
): Promise<CaptchaAnswer> {
  const provider = captchaProvider(services);
  const token = typeof form === 'string' ? form : text(form, captchaFields.token);
  if (token) {
    const message =
      provider === 'hCaptcha'
        ? await refuseHcaptchaToken(services, token, address)
        : await refuseSolution(services, token);
    return message === null ? { ok: true } : { ok: false, message };
  }
  if (typeof form !== 'string' && token === null) return answerQuestion(services, form, address);
  return { ok: false, message: captchaMessages.noToken(provider) };
}

/**
 * Checks the answer to a question. Without a token field, the form came from a browser without
 * JavaScript.
 */
async function answerQuestion(
  services: Services,
  form: FormData,
  address: string,
): Promise<CaptchaAnswer> {
  const asked = text(form, captchaFields.question);
  if (asked) {
    if (!(await mayAnswer(services, address)))
      return { ok: false, message: captchaMessages.tooManyQuestions };
    const answer = text(form, captchaFields.answer) ?? '';
    if (await isRightAnswer(services, asked, answer)) return { ok: true };
  }
  const message = asked ? captchaMessages.wrongAnswer : captchaMessages.missing;
  return { ok: false, message, question: await askQuestion(services) };
}

/**
 * Limits questions, which are easy for bots. Each network has a separate quota that strangers
 * cannot use up.
 */
async function mayAnswer(services: Services, address: string): Promise<boolean> {
  if (!(await limit(services, 'captcha-question', address)).ok) return false;
  if ((await limit(services, 'captcha-question-network', address)).ok) return true;
  return (await limit(services, 'captcha-question-site', '')).ok;
}

function text(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === 'string' ? value : null;
}
