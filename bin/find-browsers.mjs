// Finds the browsers for the end-to-end tests, which `npm test` installs if permitted.
import { existsSync } from 'node:fs';
import { fail, say } from './build-pages.mjs';
import { aptInstall, onPath } from './debian-programs.mjs';

/**
 * A complete Chromium, which can show notifications, and a headless one if available, which uses
 * 20% less CPU.
 */
export function findBrowsers() {
  const isRoot = process.getuid?.() === 0;
  if (!installedBrowser() && isRoot && onPath('apt-get')) installBrowsers();
  const whole =
    installedBrowser() ??
    fail(
      'The journeys need a browser. Install Chromium (Debian and Ubuntu: sudo apt-get install chromium), or set CHROMIUM_PATH to one.',
    );
  const light = process.env.CHROMIUM_PATH ? whole : (onPath('chromium-headless-shell') ?? whole);
  return { CHROMIUM_PATH: light, WHOLE_CHROMIUM_PATH: whole };
}

function installBrowsers() {
  say('installing Chromium for the journeys (apt-get)');
  aptInstall(['chromium', 'chromium-headless-shell'], ['chromium']);
}

function installedBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return existsSync(named)
      ? named
      : fail(`CHROMIUM_PATH is ${named}, but there is no such file.`);
  }
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map(onPath)
    .find(Boolean);
}
