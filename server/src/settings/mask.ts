/**
 * Hides the password that a URL may carry, also in a text that is no proper URL. A password may hold any character, so
 * everything up to the last @ goes: sometimes too much, never too little.
 */
export function maskUrlPassword(text: string): string {
  return text.replace(/(:\/\/[^/?#@:]*:).*@/s, '$1***@');
}
