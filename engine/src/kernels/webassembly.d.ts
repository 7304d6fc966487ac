/**
 * The part of the WebAssembly API that the engine uses. TypeScript declares it only in the DOM library, which would add browser globals.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: SharedArrayBuffer;
    /** Adds pages of 64 KB, and returns the previous number of pages. */
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
