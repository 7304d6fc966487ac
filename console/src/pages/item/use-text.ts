import { useQuery } from '@tanstack/react-query';
import { fileUrl, itemText } from '../../api/catalog.ts';
import { Problem } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import type { Item } from '../../api/types.ts';

/** Files that are text themselves; a browser can show them as they are. */
const PLAIN = new Set(
  'txt text md markdown rst log csv tsv json jsonl ndjson xml yaml yml toml ini cfg conf env html htm xhtml css scss less js mjs cjs jsx ts tsx py rb go rs c h cc cpp hpp java kt swift php pl lua sh bash zsh fish ps1 bat sql r jl m tex srt vtt nfo eml ics vcf svg'.split(
    ' ',
  ),
);

/** Enough to read and to find a match in; the rest is a download away. */
const MOST_BYTES = 512 * 1024;

export interface ItemText {
  text: string;
  /** More text exists than is kept here. */
  truncated: boolean;
  /** Where the words come from: the file itself, recognition in a picture, subtitles. */
  source: string;
}

/** The text of a file: as the service extracted it, or the beginning of a plain text file read through the caller's rights. Null when there is none. */
export function useText(item: Item | undefined, wanted = true) {
  const plain = item !== undefined && item.status === 'active' && item.size > 0 && PLAIN.has((item.extension ?? '').toLowerCase());
  return useQuery({
    queryKey: ['item', item?.id, 'text'],
    queryFn: async ({ signal }): Promise<ItemText | null> => {
      if (item!.has_text) {
        try {
          return await itemText(item!.id, signal);
        } catch (error) {
          // None kept, or not for this account: the file itself may still be readable.
          if (!(error instanceof Problem && [403, 404].includes(error.status))) throw error;
        }
      }
      return plain ? readBeginning(item!, signal) : null;
    },
    enabled: wanted && item !== undefined && (item.has_text || plain),
    staleTime: 60_000,
    retry: false,
  });
}

async function readBeginning(item: Item, signal: AbortSignal): Promise<ItemText> {
  const answer = await transport(
    new Request(new URL(fileUrl(item.id), location.origin), { headers: { range: `bytes=0-${MOST_BYTES - 1}` }, signal }),
  );
  const encoding = typeof item.metadata['encoding'] === 'string' ? item.metadata['encoding'] : 'utf-8';
  return { text: decode(await answer.arrayBuffer(), encoding), truncated: item.size > MOST_BYTES, source: 'body' };
}

function decode(bytes: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
