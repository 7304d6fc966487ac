import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/**
 * A device is a browser in which somebody has signed in to an account. Its cookie outlives the session and grants nothing by itself: it only
 * gives the device a count of failed attempts of its own, so that strangers who guess at the account cannot lock its owner out.
 */
export interface KnownDevice {
  principalId: string;
  deviceId: string;
}

export function newDevice(principalId: string): KnownDevice {
  return { principalId, deviceId: randomBytes(16).toString('base64url') };
}

export async function signDevice(db: Db, device: KnownDevice): Promise<string> {
  return `${device.principalId}.${device.deviceId}.${signature(await deviceKey(db), device)}`;
}

/** The device of a cookie if it is genuine and belongs to this account. */
export async function verifyDevice(db: Db, cookie: string | undefined, principalId: string): Promise<KnownDevice | null> {
  const [owner, deviceId, given, ...rest] = (cookie ?? '').split('.');
  if (owner !== principalId || !deviceId || !given || rest.length > 0) return null;
  const expected = Buffer.from(signature(await deviceKey(db), { principalId, deviceId }));
  const presented = Buffer.from(given);
  return presented.length === expected.length && timingSafeEqual(presented, expected) ? { principalId, deviceId } : null;
}

function signature(key: Buffer, { principalId, deviceId }: KnownDevice): string {
  return createHmac('sha256', key).update(`device ${principalId} ${deviceId}`).digest('base64url');
}

async function deviceKey(db: Db): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`select key from device_key`.execute(db);
  return one(rows).key;
}
