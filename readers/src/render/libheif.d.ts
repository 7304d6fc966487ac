declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** Creates an instance with its own memory. */
  export default function create(): object;
}
