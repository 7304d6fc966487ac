/**
 * Compiles the AssemblyScript sources. Run it after changing one of them (`node engine/src/kernels/compile.ts`); it writes the files of
 * `modules`. A test compares the checked-in bytes with a fresh compile.
 */
import { readFile, writeFile } from 'node:fs/promises';

/** The part of the compiler API that is used. Importing its types would declare AssemblyScript's globals for the whole project. */
interface Compiler {
  main(
    args: string[],
    files: {
      readFile(name: string): Promise<string | null>;
      writeFile(name: string, contents: Uint8Array | string): void;
      listFiles(): string[];
    },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}
const compiler: string = 'assemblyscript/asc';

/** The kernels of search threads work on shared memory; the writer's module has memory of its own. */
const modules = {
  'wasm.ts': {
    sources: ['bitmaps', 'packed', 'facets', 'numbers', 'vectors', 'rank', 'near', 'lengths', 'terms', 'subsets'],
    options: ['--initialMemory', '0', '--maximumMemory', '65536', '--sharedMemory', '--enable', 'threads'],
  },
  'words-wasm.ts': { sources: ['words'], options: [] },
};
const everyOption = ['--runtime', 'stub', '--importMemory', '--noAssert', '--enable', 'simd', '-O3', '--converge'];

export async function compileKernels(module: keyof typeof modules): Promise<Uint8Array> {
  const sources = modules[module].sources.map((name) => `${name}.as.ts`);
  const options = [...everyOption, ...modules[module].options];
  const { default: asc } = (await import(compiler)) as { default: Compiler };
  let bytes: Uint8Array | undefined;
  const { error, stderr } = await asc.main([...sources, ...options, '--outFile', 'kernels.wasm'], {
    // The compiler tries several names per import; null means that a file does not exist.
    readFile: (name) => readFile(new URL(name, import.meta.url), 'utf8').catch(() => null),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') bytes = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || bytes === undefined) throw new Error(`The kernels do not compile: ${error?.message}\n${stderr.toString()}`);
  return bytes;
}

export function moduleText(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,120}/g) ?? [];
  const quoted = lines.map((line) => `  '${line}',`).join('\n');
  return `/** Written by compile.ts; the sources are the .as.ts files beside it. */\nexport const wasmBase64 = [\n${quoted}\n].join('');\n`;
}

if (import.meta.main) {
  for (const module of Object.keys(modules) as (keyof typeof modules)[])
    await writeFile(new URL(module, import.meta.url), moduleText(await compileKernels(module)));
}
