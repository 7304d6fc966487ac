/** All valid samples, used by the conformance suite, the hostile cases and the benchmark. */
import { dataHeaderSamples } from './data-headers.ts';
import { documentSamples } from './documents.ts';
import { imageSamples } from './images.ts';
import { machineSamples } from './machine-samples.ts';
import { mailSamples, outlookSamples } from './mails.ts';
import { officeSamples } from './office.ts';
import { oldFormatSamples } from './old-formats.ts';
import { olderRawSamples } from './older-raw.ts';
import { outlookStoreSamples } from './outlook-store.ts';
import { projectSamples } from './project.ts';
import { rareDocumentSamples } from './rare-documents.ts';
import type { Sample } from './sample.ts';
import { soundSamples } from './sounds.ts';
import { textSamples } from './texts.ts';

// biome-ignore format: one family per line keeps diffs small.
export const samples: readonly Sample[] = [
  ...imageSamples,
  ...olderRawSamples,
  ...soundSamples,
  ...textSamples,
  ...officeSamples,
  ...outlookSamples,
  ...outlookStoreSamples,
  ...mailSamples,
  ...oldFormatSamples,
  ...machineSamples,
  ...dataHeaderSamples,
  ...documentSamples,
  ...rareDocumentSamples,
  ...projectSamples,
];
