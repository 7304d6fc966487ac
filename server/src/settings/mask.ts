/** Hides the password that a URL may carry, also in a text that is no proper URL. */
export function maskUrlPassword(text: string): string {
  return text.replace(/(:\/\/[^/?#@:]*:)[^/?#]*@/, '$1***@');
}
