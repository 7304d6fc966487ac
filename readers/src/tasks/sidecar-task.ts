/** The sandbox task that reads a sidecar file. */

import type { Source } from '../contract.ts';
import { readSidecarFile, type SidecarFacts, type SidecarFormat } from '../sidecars/read-sidecar.ts';

export default (source: Source, { kind }: { kind: SidecarFormat }): Promise<SidecarFacts | null> => readSidecarFile(source.path, kind);
