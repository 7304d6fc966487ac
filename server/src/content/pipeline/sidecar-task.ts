/** The sandbox task that reads what a sidecar says: the pool imports this module in its children. */
import { type SidecarFacts, readSidecarFile, type SpeakingKind } from '../../catalog/sidecars/index.ts';
import type { Source } from '../extract/index.ts';

export default (source: Source, { kind }: { kind: SpeakingKind }): Promise<SidecarFacts | null> => readSidecarFile(source.path, kind);
