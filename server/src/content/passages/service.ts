import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { divideText, type Passage, type PassageShape, shapeKey } from './divide.ts';
import { readPassages, writePassages } from './store.ts';

type ShapeSettings = Pick<Settings, 'chunkSizeChars' | 'chunkOverlapChars' | 'chunkMaxPerItem'>;

function shapeOf({ chunkSizeChars, chunkOverlapChars, chunkMaxPerItem }: ShapeSettings): PassageShape {
  return { size: chunkSizeChars, overlap: chunkOverlapChars, max: chunkMaxPerItem };
}

/** The rules and settings under which texts are divided now. Texts divided under another value are divided again. */
export function currentShape(settings: ShapeSettings): string {
  return shapeKey(shapeOf(settings));
}

interface DividedText {
  hash: string;
  shape: string;
  passages: Passage[];
  isStored: boolean;
}

/** The passages of a text. A text that was divided before, for this or another item, is not divided again. */
export async function passagesOf(db: Db, settings: ShapeSettings, text: string): Promise<DividedText> {
  const hash = createHash('sha256').update(text).digest('hex');
  const shape = currentShape(settings);
  const known = await readPassages(db, hash, shape);
  return { hash, shape, passages: known ?? divideText(text, shapeOf(settings)), isStored: known !== null };
}

/** As `passagesOf`, and stores the passages for the next time. The caller records which item has them. */
export async function storePassagesOf(db: Db, settings: ShapeSettings, text: string): Promise<DividedText> {
  const divided = await passagesOf(db, settings, text);
  if (!divided.isStored) await writePassages(db, divided.hash, divided.shape, divided.passages);
  return divided;
}
