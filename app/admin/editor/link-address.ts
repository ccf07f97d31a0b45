/** Returns the URL if the server would accept it as a link, or `null`. */
export function linkAddress(text: string): string | null {
  return /^(?:https?:\/\/[^\s/]|mailto:[^\s@]+@|\/(?!\/))/i.test(text) ? text : null;
}

export const linkAddressError = 'Start with https://, mailto: or /';
