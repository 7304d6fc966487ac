import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExtractError } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';

/** tesseract where it is installed; otherwise its WebAssembly build with the language data that comes along, three times as slow. */
export async function recognizePicture(png: Buffer, { lang, pageSeconds }: { lang: string; pageSeconds: number }): Promise<string> {
  const tool = findTool('tesseract');
  return tool ? readWithTool(tool, png, lang, pageSeconds) : readWithLibrary(png, lang);
}

async function readWithTool(tool: string, png: Buffer, lang: string, seconds: number): Promise<string> {
  const { code, stdout, stderr } = await runTool(tool, ['stdin', 'stdout', '-l', lang, '--psm', '3'], {
    timeoutSeconds: seconds,
    input: png,
  });
  if (code !== 0)
    throw new ExtractError(
      'dependency',
      /Failed loading language|Error opening data/.test(stderr)
        ? `tesseract has no data for the language "${lang}".`
        : 'tesseract could not read the page.',
    );
  return stdout.toString('utf8');
}

async function readWithLibrary(png: Buffer, lang: string): Promise<string> {
  if (lang !== 'eng') throw new ExtractError('dependency', `Without tesseract only the language "eng" can be read, not "${lang}".`);
  const { createWorker } = await import('tesseract.js').catch(() => {
    throw new ExtractError('dependency', 'Neither tesseract nor its WebAssembly build is installed.');
  });
  const data = path.join(path.dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng'))), '4.0.0_best_int');
  const worker = await createWorker(lang, 1, { langPath: data, cacheMethod: 'none', gzip: true });
  try {
    return (await worker.recognize(png)).data.text;
  } finally {
    await worker.terminate();
  }
}
