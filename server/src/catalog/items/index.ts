import type { App } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import '../tables.ts';
import { itemRoutes as readRoutes } from './http.ts';
import { itemDigestRoutes } from './http-digests.ts';
import { itemFileRoutes } from './http-file.ts';
import { itemOverlayRoutes } from './http-overlay.ts';

export { purgeItemVersions } from './history.ts';
export { type OpenFile, openItemFile } from './open-file.ts';
export { withoutPlaces } from './places.ts';
export { absolutePath, lastSeen, nativePath, presentItem } from './present.ts';
export { purgeRecycleBin } from './recycle.ts';
export { ItemOut } from './schemas.ts';
export { findItem, type ItemRow, selectItems } from './store.ts';

export function itemRoutes(app: App, parts: Parts): void {
  readRoutes(app, parts);
  itemOverlayRoutes(app, parts);
  itemFileRoutes(app, parts);
  itemDigestRoutes(app, parts);
}
