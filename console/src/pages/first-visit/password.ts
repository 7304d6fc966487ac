/** What the service asks for at least. */
export const MIN_LENGTH = 8;

const COMMON = new Set([
  'password',
  'passwort',
  '12345678',
  '123456789',
  '1234567890',
  'qwertyui',
  'qwerty123',
  'iloveyou',
  'letmein1',
  'admin123',
  'administrator',
  'welcome1',
  'abc12345',
  'password1',
  'password123',
]);

export interface PasswordStrength {
  /** 0 to 1. Length is what counts. */
  share: number;
  enough: boolean;
  words: string;
}

/** How good a password is, in words; nothing leaves the page for it. */
export function passwordStrength(password: string): PasswordStrength {
  const length = [...password].length;
  if (COMMON.has(password.toLowerCase())) return { share: 0.1, enough: false, words: 'One of the first passwords anybody tries' };
  if (new Set(password).size <= 2 && length > 0) return { share: 0.1, enough: false, words: 'Too few different characters' };
  const missing = MIN_LENGTH - length;
  if (missing > 0)
    return {
      share: length / 22,
      enough: false,
      words: length === 0 ? `At least ${MIN_LENGTH} characters` : `${missing} more ${missing === 1 ? 'character' : 'characters'}`,
    };
  return { share: Math.min(1, length / 22), enough: true, words: `${length} characters` };
}
