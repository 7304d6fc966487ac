declare module 's3rver' {
  import type { AddressInfo } from 'node:net';

  /** A server with the S3 interface that keeps objects in a folder. Its key and secret are both `S3RVER`. */
  export default class S3rver {
    constructor(options: { port: number; address: string; silent: boolean; directory: string; configureBuckets: { name: string }[] });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}

declare module 'js-yaml' {
  export function load(text: string): unknown;
}
