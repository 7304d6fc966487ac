import { existsSync } from 'node:fs';
import { countCertificates } from '../../platform/ldap/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import type { Values } from './config.ts';
import type { Provider } from './fields.ts';

const isUrl =
  (schemes: readonly string[]) =>
  (value: unknown): boolean => {
    const url = URL.parse(String(value));
    return url !== null && schemes.includes(url.protocol) && url.hostname !== '';
  };
const isFilter = (value: unknown): boolean => /^\(.+\)$/s.test(String(value)) && balance(String(value)) === 0;
const balance = (text: string): number => (text.match(/\(/g) ?? []).length - (text.match(/\)/g) ?? []).length;
const isDirectoryUrl = isUrl(['ldap:', 'ldaps:']);

type Rule = [field: string, accepts: (value: unknown) => boolean, sentence: string];

/** What a value must be beyond its type. */
const rules: Record<Provider, Rule[]> = {
  oidc: [
    ['issuer', isUrl(['https:', 'http:']), 'Enter an address that starts with https://.'],
    ['redirect_uri', isUrl(['https:', 'http:']), 'Enter an address that starts with https://.'],
  ],
  ldap: [
    ['server', isDirectoryUrl, 'Enter an address that starts with ldaps:// or ldap://.'],
    ['failover', (value) => (value as string[]).every(isDirectoryUrl), 'Enter addresses that start with ldaps:// or ldap://.'],
    ['ca_pem', (value) => countCertificates(String(value)) > 0, 'Paste a certificate in PEM format.'],
    ['ca_file', (value) => existsSync(String(value)), 'The file does not exist on the server.'],
    ['user_filter', isFilter, 'Enter a filter in parentheses.'],
    ['group_filter', isFilter, 'Enter a filter in parentheses.'],
    ['user_dn_template', (value) => String(value).includes('{username}'), 'The template must contain {username}.'],
  ],
  directory: [
    ['user_filter', isFilter, 'Enter a filter in parentheses.'],
    ['group_filter', isFilter, 'Enter a filter in parentheses.'],
    [
      'directories',
      (value) => (value as Record<string, string>[]).every(({ server }) => isDirectoryUrl(server)),
      'Each directory needs an address that starts with ldaps:// or ldap://.',
    ],
  ],
};

export function validateChange(provider: Provider, change: Values): void {
  for (const [field, accepts, sentence] of rules[provider]) {
    const value = change[field];
    if (value !== undefined && value !== null && !accepts(value)) throw fieldProblem(['body', field], sentence);
  }
}
