import { body, client } from './client.ts';

export type ProviderName = 'oidc' | 'ldap' | 'directory';
export type ConfigValue = string | number | boolean | string[] | Record<string, string>[] | null;
export type ConfigValues = Record<string, ConfigValue>;

/** Every provider has its own fields; the forms describe them. */
export interface ProviderConfig {
  values: ConfigValues;
  source: Record<string, 'gui' | 'env' | 'unset'>;
}

export interface ProviderTest {
  ok: boolean;
  error?: string | undefined;
  warnings: string[];
}

const shape = ({ _source, ...values }: { _source: Record<string, unknown> } & Record<string, unknown>): ProviderConfig => ({
  values: values as ConfigValues,
  source: _source as ProviderConfig['source'],
});

const path = (provider: ProviderName) => `/api/v1/auth-config/${provider}` as '/api/v1/auth-config/oidc';

export const providerConfig = async (provider: ProviderName): Promise<ProviderConfig> => shape(await body(client.GET(path(provider))));
export const saveProvider = async (provider: ProviderName, values: ConfigValues, confirm: boolean): Promise<ProviderConfig> =>
  shape(await body(client.PUT(path(provider), { params: { query: { confirm } }, body: values as never })));
export const testProvider = (provider: 'oidc' | 'ldap', values: ConfigValues): Promise<ProviderTest & Record<string, unknown>> =>
  body(client.POST(`/api/v1/auth-config/${provider}/test` as '/api/v1/auth-config/oidc/test', { body: values as never }));
export const fetchCertificate = (server: string | undefined, startTls: boolean | undefined) =>
  body(
    client.POST('/api/v1/auth-config/ldap/fetch-cert', {
      body: { ...(server === undefined ? {} : { server }), ...(startTls === undefined ? {} : { start_tls: startTls }) },
    }),
  );
