type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Lowercase<Head>}${CamelTail<Rest>}` : Lowercase<Name>;
type CamelTail<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Capitalize<Lowercase<Head>>}${CamelTail<Rest>}`
  : Capitalize<Lowercase<Name>>;

/** SVC_SCAN_BATCH_SIZE is scanBatchSize; MEDIA_PATH is mediaPath. */
export type KeyName<Name extends string> = Name extends `SVC_${infer Rest}` ? Camel<Rest> : Camel<Name>;

/** The key of a setting in the loaded object. */
export function keyName<Name extends string>(name: Name): KeyName<Name> {
  const words = name.replace(/^SVC_/, '').toLowerCase().split('_');
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('') as KeyName<Name>;
}
