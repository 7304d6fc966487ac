import { t } from '../../language/text.ts';

/** Must match the minimum of the server. */
const MIN_LENGTH = 8;

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

interface PasswordStrength {
  /** 0 to 1, by length. */
  ratio: number;
  isEnough: boolean;
  text: string;
}

/** Rates a password locally, without sending it anywhere. */
export function passwordStrength(password: string): PasswordStrength {
  const length = [...password].length;
  if (COMMON.has(password.toLowerCase())) return { ratio: 0.1, isEnough: false, text: t('This password is too common') };
  if (new Set(password).size <= 2 && length > 0) return { ratio: 0.1, isEnough: false, text: t('Use more different characters') };
  const missing = MIN_LENGTH - length;
  if (missing > 0)
    return {
      ratio: length / 22,
      isEnough: false,
      text:
        length === 0
          ? t('At least {min_length} characters', { min_length: MIN_LENGTH })
          : t('{n|# more character|# more characters} needed', { n: missing }),
    };
  return { ratio: Math.min(1, length / 22), isEnough: true, text: t('{n|# character|# characters}', { n: length }) };
}
