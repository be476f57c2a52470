// Values of unknown shape: data from outside whose members are checked one by one.

/** Returns whether the value is an object or array whose members may be read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns whether the value is an object and no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** Parses JSON that the service has stored. Somebody may have edited the row: what is none must not hold up the others. */
export function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}
