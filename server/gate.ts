import { isStaff } from '#app/features/accounts/policy.ts';
import { sessionCookieName } from '#app/features/accounts/sessions/session-cookie.server.ts';
import { findOpenSession } from '#app/features/accounts/sessions/session-queries.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { addressRanges } from '#app/platform/address-ranges.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { PageListener } from '#server/page-invalidation.ts';

export type GateScreen = 'maintenance' | 'coming-soon' | 'unverified';
export type GateAnswer =
  | { letsIn: true; because: 'sign-in page' | 'allowed address' | 'staff' }
  | { letsIn: false; screen: GateScreen };

/**
 * Paths that staff need for sign-in, including `api/health`, because the sign-in button shows a
 * warning if the site seems down.
 */
const signInPaths =
  /^\/(?:sign-in(?:\/[a-z/-]+)?|setup|api\/captcha\/challenge|api\/health|api\/passkeys\/[a-z-]+)(?:\.data)?$/;

const rereadEveryMs = 1000;

/**
 * Maintenance mode and the access gate, which are checked before the page cache and the router, so
 * that no page can skip them. Reads the settings again when the database announces a change, or
 * every second while notifications are missing.
 */
export class Gate implements PageListener {
  readonly #services: AppServices;
  #settings = defaultMaintenance;
  #siteName = defaultSettings.siteName;
  #isInside = addressRanges([]);
  #isInsideGate = addressRanges([]);
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: AppServices) {
    this.#services = services;
  }

  get isOpen(): boolean {
    return !this.#settings.enabled && !this.#settings.gate.enabled;
  }

  get words() {
    const { message, gate } = this.#settings;
    return { siteName: this.#siteName, gateName: gate.siteName, message };
  }

  /** Reads the settings again. Never rejects: on failure, keeps the previous ones. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readOnce());
    return this.#reading;
  }

  invalidate(tags: readonly string[]): void {
    if (tags.includes('settings')) void this.read();
  }

  trust(isTrusted: boolean): void {
    clearInterval(this.#timer);
    if (isTrusted) void this.read();
    else this.#timer = setInterval(() => void this.read(), rereadEveryMs).unref();
  }

  /** Decides whether a visitor is let in. `address` is null if it is unknown. */
  async examine(visitor: {
    pathname: string;
    cookie: string | undefined;
    address: string | null;
  }): Promise<GateAnswer> {
    const { pathname, cookie, address } = visitor;
    const screen = this.#screenFor(address);
    if (screen === null) return { letsIn: true, because: 'allowed address' };
    if (signInPaths.test(pathname)) return { letsIn: true, because: 'sign-in page' };
    const isOfStaff = await this.#isStaff(cookie);
    return isOfStaff ? { letsIn: true, because: 'staff' } : { letsIn: false, screen };
  }

  /** Returns a note for users who bypass the gate, if the settings ask for one. */
  debugNote(answer: GateAnswer, address: string | null): string | null {
    const { showDebugInfo, enabled, gate } = this.#settings;
    if (!showDebugInfo || !answer.letsIn || answer.because === 'sign-in page') return null;
    const modes = [enabled && 'Maintenance mode', gate.enabled && 'The access gate'];
    const why = answer.because === 'staff' ? 'you are an administrator' : 'your address is allowed';
    return `${modes.filter(Boolean).join(' and ')}: on. You are let in because ${why} (${address ?? 'address unknown'}).`;
  }

  #screenFor(address: string | null): GateScreen | null {
    const { enabled, gate } = this.#settings;
    if (enabled && (address === null || !this.#isInside(address))) return 'maintenance';
    if (!gate.enabled) return null;
    if (address === null) return 'unverified';
    return this.#isInsideGate(address) ? null : 'coming-soon';
  }

  async #isStaff(cookies: string | undefined): Promise<boolean> {
    const { db, env } = this.#services;
    const name = `${sessionCookieName(env.origin)}=`;
    const pairs = cookies?.split(';').map((one) => one.trim());
    const token = pairs?.find((pair) => pair.startsWith(name))?.slice(name.length);
    const session = token ? await findOpenSession(db, token) : null;
    return session !== null && isStaff(session.role);
  }

  async #readOnce(): Promise<void> {
    try {
      const { maintenance, siteName } = await readSiteSettings(this.#services.db);
      this.#isInside = addressRanges(maintenance.allowedIPs);
      this.#isInsideGate = addressRanges(maintenance.gate.allowedIPs);
      this.#settings = maintenance;
      this.#siteName = siteName;
    } catch (error) {
      this.#services.log.warn({ err: error }, 'the settings of the access gate could not be read');
    }
  }
}
