export { cidrList, databaseAddress, url } from './addresses.ts';
export { json, textList } from './json.ts';
export { decimal, integer } from './numbers.ts';
export { path, pathList } from './paths.ts';
export { boolean, choice, list, matching, secret, text } from './words.ts';
