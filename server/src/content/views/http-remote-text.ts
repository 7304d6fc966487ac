import { createSandboxPool, findExtractor, prepareSandbox, type SandboxPool } from '@catalog/readers';
import type { ItemRow } from '../../catalog/items/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { limitsFor } from '../pipeline/index.ts';
import { shownExtension } from '../sniff/index.ts';
import type { RemoteCopy } from './index.ts';

interface FoundText {
  text: string;
  truncated: boolean;
}

/** Reads the text of a file on another machine when somebody opens it. It is not stored. Null when the file has none. */
export type RemoteText = (item: ItemRow, actor: Actor) => Promise<FoundText | null>;

/** Short, because a person is waiting for the text. */
const readSeconds = 15;

export function createRemoteText(app: App, { settings }: Dependencies, fetchRemote: RemoteCopy): RemoteText {
  const readings = new Map<string, Promise<FoundText | null>>();
  let pool: SandboxPool | undefined;
  app.addHook('onClose', async () => pool?.close());

  async function read(item: ItemRow, actor: Actor): Promise<FoundText | null> {
    const extension = shownExtension(item);
    if (!findExtractor(extension)?.text) return null;
    const copy = await fetchRemote(item, actor);
    await prepareSandbox();
    pool ??= createSandboxPool({ size: 1, background: false });
    const limits = limitsFor(settings, null);
    limits.timeoutSeconds = Math.min(limits.timeoutSeconds, readSeconds);
    const outcome = await pool.extract({ path: copy.path, root: copy.folder, filename: item.filename, extension, size: copy.size, limits });
    if (!outcome.ok || outcome.unsupported || !outcome.extracted.bodyText?.trim()) return null;
    return { text: outcome.extracted.bodyText, truncated: outcome.extracted.bodyTextTruncated ?? false };
  }

  return (item, actor) => {
    const known = readings.get(item.id) ?? read(item, actor).finally(() => readings.delete(item.id));
    readings.set(item.id, known);
    return known;
  };
}
