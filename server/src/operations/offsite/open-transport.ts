import type { Outbound } from '../../platform/outbound/index.ts';
import { openFolder } from './folder-transport.ts';
import { openS3 } from './s3-transport.ts';
import { openSftpFolder } from './sftp-transport.ts';
import type { TargetPlace, Transport } from './transport.ts';

export function openTransport(place: TargetPlace, secret: string | null, outbound: Outbound): Transport {
  if (place.kind === 'folder') return openFolder(place.config);
  return place.kind === 's3' ? openS3(place.config, secret ?? '', outbound) : openSftpFolder(place.config, secret ?? '', outbound);
}
