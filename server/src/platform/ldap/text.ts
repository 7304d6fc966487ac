/** A value inside a filter (RFC 4515). */
export function escapeFilter(value: string): string {
  return [...Buffer.from(value, 'utf8')]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || '*()\\'.includes(String.fromCharCode(byte))
        ? `\\${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
}

/** A value inside a DN (RFC 4514). */
export function escapeDn(value: string): string {
  return value
    .replace(/[\\,+"<>;=#]/g, (letter) => `\\${letter}`)
    .replace(/\u0000/g, '\\00')
    .replace(/^ | $/g, '\\ ');
}

/** The form in which DNs are compared: lower case, without spaces around separators. */
export function comparableDn(dn: string): string {
  return dn
    .split(/(?<!\\),/)
    .map((part) =>
      part
        .trim()
        .replace(/\s*=\s*/, '=')
        .toLowerCase(),
    )
    .join(',');
}

/** The value of the first part, such as Staff of cn=Staff,ou=Groups,dc=example. */
export function commonName(dn: string): string | null {
  const first = dn.split(/(?<!\\),/)[0] ?? '';
  const value = first.slice(first.indexOf('=') + 1).trim();
  return first.includes('=') && value !== '' ? value.replace(/\\([,+"<>;=#\\ ])/g, '$1') : null;
}
