import { body, client } from './client.ts';

export type ProviderName = 'oidc';
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

export const providerConfig = async (_provider: ProviderName): Promise<ProviderConfig> =>
  shape(await body(client.GET('/api/v1/auth-config/oidc')));
export const saveProvider = async (_provider: ProviderName, values: ConfigValues, confirm: boolean): Promise<ProviderConfig> =>
  shape(await body(client.PUT('/api/v1/auth-config/oidc', { params: { query: { confirm } }, body: values as never })));
export const testProvider = (_provider: ProviderName, values: ConfigValues): Promise<ProviderTest & Record<string, unknown>> =>
  body(client.POST('/api/v1/auth-config/oidc/test', { body: values as never }));
