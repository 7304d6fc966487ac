import type { Outbound } from '../../platform/outbound/index.ts';
import { openFolder } from './folder-transport.ts';
import { openS3 } from './s3-transport.ts';
import type { TargetPlace, Transport } from './transport.ts';

export function openTransport(place: TargetPlace, secret: string | null, outbound: Outbound): Transport {
  return place.kind === 'folder' ? openFolder(place.config) : openS3(place.config, secret ?? '', outbound);
}
