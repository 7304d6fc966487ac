export { canonicalName, type DirectoryEntry, type DirectoryNames, directoryNames, nestedGroups } from './names.ts';
