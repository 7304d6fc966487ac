import * as catalog from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { t } from '../../language/text.ts';

/** Each path is read with its file, because a share map may give every folder another address. */
export const MAX_COPIED_PATHS = 500;
const PARALLEL = 6;

/** The ways to write where a file is. */
export const PATH_FORMS = [
  { value: 'native', label: t('Native paths'), of: (item: Item): string | null => item.native_path },
  { value: 'share', label: t('Share addresses'), of: (item: Item): string | null => item.share_url },
  { value: 'server', label: t('Paths on the server'), of: (item: Item): string | null => item.path },
] as const;
export type PathForm = (typeof PATH_FORMS)[number]['value'];

/** The paths of these files in one form, and how many have none. */
export async function pathsOf(ids: readonly string[], form: PathForm, signal?: AbortSignal): Promise<{ paths: string[]; without: number }> {
  const { of } = PATH_FORMS.find((one) => one.value === form) ?? PATH_FORMS[2];
  const found = new Array<string | null>(ids.length).fill(null);
  const rest = ids.entries();
  const worker = async () => {
    for (const [at, id] of rest) {
      signal?.throwIfAborted();
      found[at] = of(await catalog.item(id));
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, ids.length) }, worker));
  const paths = found.filter((path) => path !== null);
  return { paths, without: ids.length - paths.length };
}
