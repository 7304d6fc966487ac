export { primaryCategories, type SidecarKind, type SidecarName, sidecarName } from './names.ts';
