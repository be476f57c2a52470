// Values of unknown shape: data from outside whose members are checked one by one.

/** Returns whether the value is an object or array whose members may be read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
