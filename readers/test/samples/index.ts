/** Every valid sample, one line a family. The conformance suite, the hostile generator and the benchmark all draw from this list. */
import { dataHeaderSamples } from './data-headers.ts';
import { imageSamples } from './images.ts';
import { machineSamples } from './machine-samples.ts';
import { mailSamples } from './mails.ts';
import { officeSamples } from './office.ts';
import { oldFormatSamples } from './old-formats.ts';
import { outlookSamples } from './outlook.ts';
import { outlookStoreSamples } from './outlook-store.ts';
import type { Sample } from './sample.ts';
import { soundSamples } from './sounds.ts';
import { textSamples } from './texts.ts';

// biome-ignore format: one line each keeps the list readable and changes to it apart.
export const samples: readonly Sample[] = [
  ...imageSamples,
  ...soundSamples,
  ...textSamples,
  ...officeSamples,
  ...outlookSamples,
  ...outlookStoreSamples,
  ...mailSamples,
  ...oldFormatSamples,
  ...machineSamples,
  ...dataHeaderSamples,
];
