import { hash } from 'node:crypto';
import * as openid from 'openid-client';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { createOutbound, type Outbound, OutboundError } from '../../../platform/outbound/index.ts';
import { findCause, OidcFailure } from './failure.ts';

/** One OpenID provider with everything needed to talk to it. */
export interface OidcProvider {
  name: string;
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
}

const timeoutMs = 10_000;
const maxResponseBytes = 1_048_576;
const cacheMs = 3_600_000;
/** Clocks of provider and service may differ by this much. */
export const leewaySeconds = 120;
/** Signatures that anybody with the public keys can verify. Neither `none` nor shared secrets (HS256). */
export const allowedAlgorithms = /^(RS|ES|PS)(256|384|512)$|^EdDSA$|^Ed25519$/;

export interface OidcClient {
  /**
   * A configuration of its own for each use, because it carries the function that sends requests. Discovery and keys are shared and read
   * again after an hour, or at once with `fresh`.
   */
  configuration(provider: OidcProvider, options?: { fresh?: boolean; fetch?: openid.CustomFetch }): Promise<openid.Configuration>;
  /** Keeps the keys that a configuration has read for the next use. */
  keepKeys(provider: OidcProvider, configuration: openid.Configuration): void;
  /** Sends a request of the protocol library through the outbound rules. */
  fetch: openid.CustomFetch;
}

interface CachedProvider {
  metadata: openid.ServerMetadata;
  keys: openid.ExportedJWKSCache | undefined;
  readAt: number;
}

export function createOidcClient(
  { settings }: Pick<Dependencies, 'settings'>,
  outbound: Outbound = createOutbound({ settings }),
): OidcClient {
  const cache = new Map<string, CachedProvider>();
  const fetchOutbound: openid.CustomFetch = async (url, options) => {
    requireSafeUrl(url);
    const response = await outbound.send(
      'identity_provider',
      {
        url,
        method: options.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(options.headers as Record<string, string>)),
        ...(options.body === undefined || options.body === null ? {} : { body: String(options.body) }),
        timeoutMs,
        maxResponseBytes,
      },
      { requested: true },
    );
    if (response.truncated) throw new OidcFailure('oversized_response', `The response of ${new URL(url).host} is larger than 1 MiB.`);
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers;
    return new Response(response.status === 204 ? null : new Uint8Array(response.body), { status: response.status, headers });
  };

  return {
    fetch: fetchOutbound,
    keepKeys(provider, configuration) {
      const known = cache.get(cacheKey(provider));
      if (known) known.keys = openid.getJwksCache(configuration) ?? known.keys;
    },
    async configuration(provider, { fresh = false, fetch = fetchOutbound } = {}) {
      const key = cacheKey(provider);
      let known = cache.get(key);
      if (!known || fresh || Date.now() - known.readAt >= cacheMs) {
        known = { metadata: await discover(provider, fetchOutbound), keys: undefined, readAt: Date.now() };
        cache.set(key, known);
        if (cache.size > 50) cache.delete(cache.keys().next().value ?? '');
      }
      const configuration = new openid.Configuration(known.metadata, provider.clientId, clientMetadata, clientAuthentication(provider));
      openid.allowInsecureRequests(configuration);
      openid.enableNonRepudiationChecks(configuration);
      configuration.timeout = timeoutMs / 1000;
      configuration[openid.customFetch] = fetch;
      if (known.keys) openid.setJwksCache(configuration, known.keys);
      return configuration;
    },
  };
}

const clientMetadata = { [openid.clockTolerance]: leewaySeconds };
const cacheKey = ({ issuer, clientId, clientSecret }: OidcProvider): string =>
  hash('sha256', JSON.stringify([issuer, clientId, clientSecret]));
const clientAuthentication = ({ clientSecret }: OidcProvider): openid.ClientAuth =>
  clientSecret ? openid.ClientSecretPost(clientSecret) : openid.None();

async function discover(provider: OidcProvider, fetch: openid.CustomFetch): Promise<openid.ServerMetadata> {
  requireSafeUrl(provider.issuer);
  let metadata: openid.ServerMetadata;
  try {
    const configuration = await openid.discovery(
      new URL(provider.issuer),
      provider.clientId,
      clientMetadata,
      clientAuthentication(provider),
      {
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: fetch,
        timeout: timeoutMs / 1000,
      },
    );
    metadata = structuredClone({ ...configuration.serverMetadata() });
  } catch (error) {
    throw discoveryFailure(error);
  }
  // The library accepts a trailing slash; the issuer identifies accounts, so it must be the very same text.
  if (metadata.issuer !== provider.issuer)
    throw new OidcFailure('issuer_mismatch', `The provider says that its issuer is ${metadata.issuer}, not ${provider.issuer}.`);
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint } = metadata;
  if (!authorization_endpoint || !token_endpoint || !jwks_uri)
    throw new OidcFailure('incomplete_discovery', 'The discovery document names no authorization endpoint, token endpoint or keys.');
  for (const url of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint])
    if (url) requireSafeUrl(url);
  const algorithms = metadata.id_token_signing_alg_values_supported;
  if (algorithms && !algorithms.some((name) => allowedAlgorithms.test(name)))
    throw new OidcFailure('no_supported_alg', `The provider signs with ${algorithms.join(', ')} only.`);
  return metadata;
}

function discoveryFailure(error: unknown): OidcFailure {
  const own = findCause(error, OidcFailure);
  if (own) return own;
  const outbound = findCause(error, OutboundError);
  if (outbound) return new OidcFailure('fetch_failed', outbound.message, { cause: error });
  const text = error instanceof Error ? [error.message, (error.cause as Error | undefined)?.message ?? ''].join(' ') : String(error);
  if (/"?issuer"?.*(mismatch|unexpected|does not match)|unexpected JSON attribute value/i.test(text))
    return new OidcFailure('issuer_mismatch', 'The issuer in the discovery document is not the configured one.', { cause: error });
  return new OidcFailure('bad_response', `The discovery document cannot be used: ${text.slice(0, 300)}`, { cause: error });
}

/** HTTPS, or a server on this machine. */
function requireSafeUrl(text: string): void {
  const url = URL.parse(text);
  const loopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)))
    throw new OidcFailure('insecure_url', `${url?.host ?? 'An address of the provider'} must be reached by HTTPS.`);
}
