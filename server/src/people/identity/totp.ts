import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Time-based codes (RFC 6238) as authenticator apps expect them: SHA-1, six digits, 30 seconds. */
const stepSeconds = 30;
const digits = 6;
/** Codes of the step before and after are accepted, because clocks differ. */
const window = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)));
}

/** The address that authenticator apps read from a QR code. */
export function totpUrl(secret: string, account: string, issuer = 'Catalog'): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&digits=${digits}&period=${stepSeconds}`;
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

export const totpStep = (milliseconds: number): number => Math.floor(milliseconds / 1000 / stepSeconds);

/** The step whose code this is, or null. */
export function matchingStep(secret: string, code: string, milliseconds: number): number | null {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  const now = totpStep(milliseconds);
  let found: number | null = null;
  for (let step = now - window; step <= now + window; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) found = step;
  }
  return found;
}
