/** The sandbox task that reads what a sidecar says: the pool imports this module in its children. */
import { readSidecarFile, type SidecarFacts, type SidecarFormat } from '../sidecars/read-sidecar.ts';
import type { Source } from '../contract.ts';

export default (source: Source, { kind }: { kind: SidecarFormat }): Promise<SidecarFacts | null> => readSidecarFile(source.path, kind);
