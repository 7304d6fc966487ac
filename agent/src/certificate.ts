/**
 * The key of the agent and its certificate. A new key replaces the old one when the service asks for it, because another machine has a copy
 * of the old one. It waits in a file of its own from before the service hears of it until it has become the key, so that a kill in between
 * never leaves the agent with a key that the service has given up.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { bindingText } from '@catalog/protocol';
import { type Client, createClient, ServiceProblem } from './client.ts';
import { type AgentConfig, filesIn, writePrivate } from './config.ts';

export function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivate(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** The public half of the key in a file, and the proof that this machine holds the other one. */
export function proveKey(file: string, text: string): { public_key: string; proof: string } {
  const key = createPrivateKey(readFileSync(file, 'utf8'));
  return {
    public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    proof: sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64'),
  };
}

let last: Promise<unknown> = Promise.resolve();
/** Runs one at a time: a second one would mistake the half-written files of the first for those of a killed process. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.catch(() => {}).then(work);
  last = turn;
  return turn;
}

/** Renews the certificate when two thirds of its time are over, or when it is not for the key. Returns whether it was renewed. */
export function renewIfDue(client: Client, config: AgentConfig, dataDir: string, now: Date): Promise<boolean> {
  return alone(async () => {
    const { certificate: file, key } = filesIn(dataDir);
    if (!existsSync(file)) return false;
    const certificate = new X509Certificate(readFileSync(file, 'utf8'));
    const { validFromDate, validToDate } = certificate;
    const due = validFromDate.getTime() + ((validToDate.getTime() - validFromDate.getTime()) * 2) / 3;
    if (now.getTime() < due && fits(certificate, key)) return false;
    writePrivate(file, await renew(client, config, key, {}));
    return true;
  });
}

const fits = (certificate: X509Certificate, keyFile: string): boolean =>
  certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile, 'utf8')));

/** Returns the certificate for the key in the file, if the service sent one that can be trusted. */
async function renew(client: Client, config: AgentConfig, keyFile: string, body: object): Promise<string> {
  const { certificate_pem, root_pem } = (await client.send('POST', '/certificate/renew', { body })).body as {
    certificate_pem: string;
    root_pem: string;
  };
  if (config.authorityFingerprint !== null && fingerprint(root_pem) !== config.authorityFingerprint)
    throw new Error('The service has another certificate authority than at enrolment. The certificate was not replaced.');
  if (!fits(new X509Certificate(certificate_pem), keyFile))
    throw new Error('The renewed certificate is not for the key of this agent. It was not stored.');
  return certificate_pem;
}

/** Replaces the key. The service accepts nothing that is signed with the old one from then on. */
export function replaceKey(client: Client, config: AgentConfig, dataDir: string): Promise<void> {
  const { newKey } = filesIn(dataDir);
  return alone(async () => {
    makeKey(newKey);
    useNewKey(dataDir, await renew(client, config, newKey, proveKey(newKey, bindingText(config.agentId, ''))));
  });
}

/** After a kill while the key was replaced: the new one counts if the service knows it. */
export function settleNewKey(config: AgentConfig, dataDir: string): Promise<void> {
  const { newKey } = filesIn(dataDir);
  return alone(async () => {
    if (!existsSync(newKey)) return;
    try {
      useNewKey(dataDir, await renew(createClient(config, dataDir, newKey), config, newKey, {}));
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.code !== 'agent_credentials') throw error;
      rmSync(newKey);
    }
  });
}

function useNewKey(dataDir: string, certificate: string): void {
  const { key, newKey, certificate: file } = filesIn(dataDir);
  renameSync(newKey, key);
  writePrivate(file, certificate);
}

export function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}
