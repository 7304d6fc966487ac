import type { Settings } from '../../settings/index.ts';
import { type AddressClass, blockList, classifyAddress, isListed, unwrap } from './addresses.ts';

/**
 * Everything that leaves the service. `isOn` tells whether the settings switch the feature on; a request that a person
 * switched on or asked for in the console passes `requested`. Webhooks, gateways, mail and copies of backups need no switch: they are sent only
 * to channels and targets that an administrator made.
 * `strict` purposes go to any address on the internet and are therefore kept out of the local network; the others go to a server that the
 * operator configured, which often is on the local network.
 */
const purposes = {
  webhook: { isOn: () => true, addresses: 'strict' },
  gateway: { isOn: () => true, addresses: 'configured' },
  mail: { isOn: () => true, addresses: 'configured' },
  backup_target: { isOn: () => true, addresses: 'configured' },
  update_check: { isOn: (settings) => settings.updateCheckAuto, addresses: 'strict' },
  identity_provider: { isOn: (settings) => settings.oidcEnabled || settings.ldapEnabled, addresses: 'configured' },
  model_download: { isOn: (settings) => settings.semanticEnabled, addresses: 'strict' },
  embedding_server: { isOn: (settings) => settings.semanticEnabled && settings.embedUrl !== undefined, addresses: 'configured' },
  language_model: { isOn: (settings) => settings.nlOllamaUrl !== undefined, addresses: 'configured' },
} as const satisfies Record<string, { isOn(settings: Settings): boolean; addresses: 'strict' | 'configured' }>;

export type Purpose = keyof typeof purposes;

export function isPurposeOn(purpose: Purpose, settings: Settings): boolean {
  return purposes[purpose].isOn(settings);
}

const allowed: Record<'strict' | 'configured', readonly AddressClass[]> = {
  strict: ['public'],
  configured: ['public', 'private', 'loopback'],
};

/** Why the service does not connect to an address, or null when it does. */
export function refusal(
  purpose: Purpose,
  address: string,
  { webhookAllowPrivateCidrs, webhookAllowedCidrs }: Pick<Settings, 'webhookAllowPrivateCidrs' | 'webhookAllowedCidrs'>,
): AddressClass | null {
  const kind = classifyAddress(address);
  if (kind === 'unspecified') return kind;
  const rule = purposes[purpose].addresses;
  if (allowed[rule].includes(kind)) return null;
  if (kind === 'private' && webhookAllowPrivateCidrs) return null;
  const list = blockList(webhookAllowedCidrs);
  return isListed(list, unwrap(address)) ? null : kind;
}
