import { afterEach, expect, test, vi } from 'vitest';
import * as catalog from '../../api/catalog.ts';
import type { Item } from '../../api/types.ts';
import { pathsOf } from './copy-paths.ts';

afterEach(() => vi.restoreAllMocks());

test('paths are copied in the order of the selection, and files without such a path are counted', async () => {
  vi.spyOn(catalog, 'item').mockImplementation(
    async (id) => ({ path: `/media/${id}`, native_path: id === 'b' ? null : `P:\\${id}`, share_url: `smb://nas/${id}` }) as Item,
  );
  expect(await pathsOf(['c', 'b', 'a'], 'native')).toEqual({ paths: ['P:\\c', 'P:\\a'], without: 1 });
  expect(await pathsOf(['b', 'a'], 'share')).toEqual({ paths: ['smb://nas/b', 'smb://nas/a'], without: 0 });
  expect(await pathsOf(['a'], 'server')).toEqual({ paths: ['/media/a'], without: 0 });
});
