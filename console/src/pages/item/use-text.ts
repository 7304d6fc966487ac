import { useQuery } from '@tanstack/react-query';
import { fileUrl } from '../../api/catalog.ts';
import { transport } from '../../api/transport.ts';
import type { Item } from '../../api/types.ts';
import { bodyOf } from './matches.ts';

/** Files that are text themselves; a browser can show them as they are. */
const PLAIN = new Set(
  'txt text md markdown rst log csv tsv json jsonl ndjson xml yaml yml toml ini cfg conf env html htm xhtml css scss less js mjs cjs jsx ts tsx py rb go rs c h cc cpp hpp java kt swift php pl lua sh bash zsh fish ps1 bat sql r jl m tex srt vtt nfo eml ics vcf svg'.split(
    ' ',
  ),
);

/** Enough to read and to find a match in; the rest is a download away. */
const MOST_BYTES = 512 * 1024;

/** The text of a file: as the service extracted it, or the beginning of a plain text file read through the caller's rights. */
export function useText(item: Item | undefined): string | null {
  const given = item ? bodyOf(item.metadata) : null;
  const plain = item !== undefined && given === null && item.status === 'active' && PLAIN.has((item.extension ?? '').toLowerCase());
  const file = useQuery({
    queryKey: ['item', item?.id, 'text'],
    queryFn: async ({ signal }) => {
      const answer = await transport(
        new Request(new URL(fileUrl(item!.id), location.origin), { headers: { range: `bytes=0-${MOST_BYTES - 1}` }, signal }),
      );
      const encoding = typeof item!.metadata['encoding'] === 'string' ? item!.metadata['encoding'] : 'utf-8';
      return decode(await answer.arrayBuffer(), encoding);
    },
    enabled: plain && item.size > 0,
    staleTime: 60_000,
    retry: false,
  });
  return given ?? file.data ?? null;
}

function decode(bytes: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
