// The options of an import that allows everything.

/** @param more replaces options. */
export const importOptions = <More extends object>(more: More) => ({
  update: false,
  renumber: false,
  overwritePasswords: false,
  isDry: false,
  allowNewRoles: true,
  allowAdministrators: true,
  notes: { newRoles: new Set<string>(), administrators: new Set<string>() },
  ...more,
});
