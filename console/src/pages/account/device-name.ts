import { t } from '../../language/text.ts';
/** Turns a user agent string into "Firefox on Linux". */
export function deviceName(agent: string | null): string {
  if (!agent) return t('Unknown device');
  const browser = /Firefox\//.test(agent)
    ? 'Firefox'
    : /Edg\//.test(agent)
      ? 'Edge'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : (agent.split(/[ /]/)[0] ?? agent);
  const system = /iPhone/.test(agent)
    ? 'iPhone'
    : /iPad/.test(agent)
      ? 'iPad'
      : /Android/.test(agent)
        ? 'Android'
        : /Mac OS X/.test(agent)
          ? 'macOS'
          : /Windows/.test(agent)
            ? 'Windows'
            : /Linux/.test(agent)
              ? 'Linux'
              : '';
  return system ? t('{browser} on {system}', { browser, system }) : browser;
}

export const isPhone = (agent: string | null): boolean => /iPhone|iPad|Android/.test(agent ?? '');

const methods: Record<string, string> = {
  password: t('password'),
  passkey: t('passkey'),
  oidc: t('single sign-on'),
  ldap: t('directory password'),
  header: t('authenticating proxy'),
};

/** How a session was opened. */
export function methodName(method: string): string {
  return methods[method] ?? method;
}
