/** Files that claim more than they hold: pixels, triangles, chunks, records, messages, pages; and structures that lead in a circle. */
import { documents } from './claims/documents.ts';
import { lines } from './claims/lines.ts';
import { mail } from './claims/mail.ts';
import { meshes } from './claims/meshes.ts';
import { pixels } from './claims/pixels.ts';
import { sounds } from './claims/sounds.ts';
import type { HostileCase } from './hostile-case.ts';

export const claims: readonly HostileCase[] = [...pixels, ...meshes, ...sounds, ...documents, ...mail, ...lines];
