import type { View } from '../query/execute.ts';
import type { Segment } from '../segment/open-segment.ts';

/** Ids and fingerprints by ascending id, a page at a time. The view of the first page holds to the end. */
export interface Listing {
  page(): { id: string; fingerprint: string }[];
  close(): void;
}

const pageSize = 5000;
const stretch = 4096;

export function startListing(view: View): Listing {
  const { segments } = view;
  for (const segment of segments) segment.hold();
  let heads = view.segments.map((segment) => createHead(segment)).filter((head) => head.advance());
  return {
    page() {
      const page: { id: string; fingerprint: string }[] = [];
      while (heads.length > 0 && page.length < pageSize) {
        let least = heads[0]!;
        for (const head of heads) if (head.id < least.id) least = head;
        page.push({ id: least.id, fingerprint: least.fingerprint });
        const ended = least;
        if (!least.advance()) heads = heads.filter((head) => head !== ended);
      }
      return page;
    },
    close() {
      for (const segment of segments) segment.close();
    },
  };
}

interface Head {
  id: string;
  fingerprint: string;
  advance(): boolean;
}

function createHead(segment: Segment): Head {
  const live = segment.u32.slice(segment.live >>> 2, (segment.live >>> 2) + segment.blocks * 4);
  let doc = -1;
  let from = 0;
  let ids: string[] = [];
  let prints: string[] = [];
  const head: Head = {
    id: '',
    fingerprint: '',
    advance() {
      do doc++;
      while (doc < segment.documents && ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 0);
      if (doc >= segment.documents) return false;
      if (doc >= from + ids.length) {
        from = doc;
        const to = Math.min(doc + stretch, segment.documents);
        ids = segment.ids.slice(from, to);
        prints = segment.prints.slice(from, to);
      }
      head.id = ids[doc - from]!;
      head.fingerprint = prints[doc - from]!;
      return true;
    },
  };
  return head;
}
