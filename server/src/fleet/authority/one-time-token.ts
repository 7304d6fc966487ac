/** Tokens that let an agent request one certificate from an external authority (step-ca's JWK provisioner). */
import { createHash, randomUUID } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Settings } from '../../settings/index.ts';

export interface OneTimeToken {
  token: string;
  /** Identifies the token in the audit log. */
  jti: string;
}

const ttlSeconds = 300;

/** Null when the provisioner's key or the address of the authority is not set, or the key is malformed. */
export async function mintOneTimeToken(settings: Settings, agentId: string, now: Date): Promise<OneTimeToken | null> {
  const key = readKey(settings.caProvisionerJwk);
  if (key === null || settings.caUrl === undefined) return null;
  const issued = Math.floor(now.getTime() / 1000);
  const jti = randomUUID();
  try {
    const token = await new SignJWT({ sans: [agentId] })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid ?? thumbprint(key), typ: 'JWT' })
      .setIssuer(settings.caProvisioner)
      .setAudience(`${settings.caUrl.replace(/\/+$/, '')}/1.0/sign`)
      .setSubject(agentId)
      .setIssuedAt(issued)
      .setNotBefore(issued)
      .setExpirationTime(issued + ttlSeconds)
      .setJti(jti)
      .sign(await importJWK({ ...key, alg: 'ES256' }));
    return { token, jti };
  } catch {
    // A point that is not on the curve is as unusable as a malformed text; cross-checks of the settings warn at start.
    return null;
  }
}

function readKey(raw: string | undefined): JWK | null {
  try {
    const key = JSON.parse(raw ?? 'null') as JWK | null;
    return key?.kty === 'EC' && key.crv === 'P-256' && key.x && key.y && key.d ? key : null;
  } catch {
    return null;
  }
}

/** RFC 7638. */
function thumbprint({ crv, kty, x, y }: JWK): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
