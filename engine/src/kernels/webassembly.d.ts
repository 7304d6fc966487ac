/** The part of WebAssembly that the engine uses; the language library has it only together with a browser's names. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: SharedArrayBuffer;
    /** Adds pages of 64 KB; answers the number there was before. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
    private readonly compiled: true;
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  function validate(bytes: Uint8Array): boolean;
}
