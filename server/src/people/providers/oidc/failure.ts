/** Why a sign-in failed. The reason is the only thing that the browser learns; the message goes to the log. */
export type FailureReason =
  | 'not_configured'
  | 'insecure_url'
  | 'fetch_failed'
  | 'oversized_response'
  | 'bad_response'
  | 'issuer_mismatch'
  | 'incomplete_discovery'
  | 'empty_jwks'
  | 'no_supported_alg'
  | 'token_exchange_failed'
  | 'no_id_token'
  | 'invalid_id_token'
  | 'no_subject'
  | 'no_role'
  | 'bad_state'
  | 'expired_state'
  | 'no_account'
  | 'disabled'
  | 'missing_code'
  | 'access_denied'
  | 'already_connected'
  | 'provider_error';

export class OidcFailure extends Error {
  readonly reason: FailureReason;
  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OidcFailure';
    this.reason = reason;
  }
}

/** The failure inside a chain of causes, because the protocol library wraps errors of the connection. */
export function findCause<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) if (each instanceof kind) return each;
  return null;
}
