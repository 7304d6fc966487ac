/**
 * Settings whose capability is not part of this version. Setting one causes a warning at start, and the manual says that it has no effect.
 * A test compares this list with the code: delete a line when the capability reads the setting.
 */
export const settingsNotBuilt: readonly string[] = [
  // agents
  'SVC_AGENT_ASSOCIATE_DEBOUNCE_SECONDS',

  // backup script
];
