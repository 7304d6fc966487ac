/** SVG: size, title and text. External references are not loaded. */
import { gunzipSync } from 'node:zlib';
import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Source } from '../../contract.ts';
import { createDecompressionGuard } from '../../input/decompression-guard.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';
import { readXmlChunks, type XmlHandlers } from '../../input/xml.ts';
import type { ImageFacts } from './image-facts.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export async function readSvg(file: FileBytes, source: Source): Promise<ImageFacts> {
  const facts: ImageFacts = { format: 'SVG', color_space: 'srgb' };
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const path: string[] = [];
  const handlers: XmlHandlers = {
    open(name, attributes, depth) {
      path.push(name);
      if (depth > 1) return;
      if (name !== 'svg') throw new ExtractError('corrupt', 'The file is not an SVG drawing.');
      const box = (attributes['viewBox'] ?? '').split(/[\s,]+/).map(Number);
      facts.width = pixels(attributes['width']) ?? positiveSize(box[2]);
      facts.height = pixels(attributes['height']) ?? positiveSize(box[3]);
    },
    close() {
      path.pop();
    },
    text(text) {
      const element = path.at(-1);
      if (element === 'title' && path.length === 2) facts.title ??= text.trim();
      else if ((element === 'text' || element === 'tspan' || element === 'desc') && text.trim() !== '') {
        body.add(text);
        body.break();
      }
    },
  };
  await readXmlChunks(svgBytes(file, source), handlers, { literalEntities: true });
  facts.text = body.result();
  return facts;
}

function svgBytes(file: FileBytes, source: Source): Iterable<Buffer> {
  const head = file.read(0, 2);
  if (file.size > MAX_BYTES) throw new ExtractError('guard', `The drawing has ${file.size} bytes; the limit is ${MAX_BYTES}.`);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return fileChunks(file);
  const maxBytes = Math.min(MAX_BYTES, createDecompressionGuard(file.size, source.limits).remaining());
  try {
    return [gunzipSync(file.read(0, file.size), { maxOutputLength: maxBytes })];
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw large
      ? new ExtractError('guard', `The drawing decompresses to more than ${maxBytes} bytes.`)
      : new ExtractError('corrupt', 'The compressed drawing is damaged.');
  }
}

const units: Record<string, number> = { '': 1, px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 };

function pixels(value: string | undefined): number | undefined {
  const found = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(value ?? '');
  const unit = found === null ? undefined : units[(found[2] as string).toLowerCase()];
  return unit === undefined ? undefined : positiveSize(Number((found as RegExpExecArray)[1]) * unit);
}

function positiveSize(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value * 100) / 100 : undefined;
}
