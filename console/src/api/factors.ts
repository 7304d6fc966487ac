import { t } from '../language/text.ts';
import { body, client } from './client.ts';

export const secondFactors = () => body(client.GET('/api/v1/auth/second-factors'));
export const startTotp = (current_password: string) => body(client.POST('/api/v1/auth/totp', { body: { current_password } }));
export const confirmTotp = async (code: string): Promise<string[]> =>
  (await body(client.POST('/api/v1/auth/totp/confirm', { body: { code } }))).recovery_codes;
export const removeTotp = (current_password: string) => body(client.POST('/api/v1/auth/totp/remove', { body: { current_password } }));
export const newRecoveryCodes = async (current_password: string): Promise<string[]> =>
  (await body(client.POST('/api/v1/auth/recovery-codes', { body: { current_password } }))).recovery_codes;
export const removePasskey = (passkey_id: string, current_password: string) =>
  body(client.POST('/api/v1/auth/passkeys/{passkey_id}/remove', { params: { path: { passkey_id } }, body: { current_password } }));
export const resetFactors = (principal_id: string) =>
  body(client.DELETE('/api/v1/auth/users/{principal_id}/second-factors', { params: { path: { principal_id } } }));

/** Browsers offer passkeys on HTTPS pages and on localhost only. */
export function passkeysWork(): boolean {
  return window.isSecureContext && typeof PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';
}

export async function addPasskey(current_password: string, name: string): Promise<void> {
  const options = await body(client.POST('/api/v1/auth/passkeys/options', { body: { current_password } }));
  const credential = await used(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON),
    }),
  );
  await body(client.POST('/api/v1/auth/passkeys', { body: { name, response: credential.toJSON() as never } }));
}

export async function signInWithPasskey(): Promise<void> {
  const options = await body(client.POST('/api/v1/auth/passkeys/sign-in/options'));
  const credential = await used(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON),
    }),
  );
  await body(client.POST('/api/v1/auth/passkeys/sign-in', { body: { response: credential.toJSON() as never } }));
}

async function used(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked;
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    // The browser does not tell a closed window from a missing passkey.
    if (!(error instanceof DOMException)) throw error;
  }
  throw new PasskeyNotUsed();
}

export class PasskeyNotUsed extends Error {
  constructor() {
    super(t('No passkey was used. The browser closed its window. Try again, or use your password.'));
  }
}
