/** Turns a user agent string into "Firefox on Linux". */
export function deviceName(agent: string | null): string {
  if (!agent) return 'Unknown device';
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
  return system ? `${browser} on ${system}` : browser;
}

const methods: Record<string, string> = {
  password: 'password',
  passkey: 'passkey',
  oidc: 'single sign-on',
  ldap: 'directory password',
  header: 'authenticating proxy',
};

/** How a session was opened. */
export function methodName(method: string): string {
  return methods[method] ?? method;
}
