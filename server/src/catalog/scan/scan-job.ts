import { Type } from 'typebox';

export const scanPayload = Type.Object({ library_id: Type.String(), scan_run_id: Type.String() });

/** At most one scan of a library is queued or running. */
export const scanLock = (libraryId: string): string => `scan_library:${libraryId}`;

export const scanTaskName = 'scan_library';
