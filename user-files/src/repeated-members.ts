// Members that a JSON object has more than once. `JSON.parse` keeps the last of them, and does not tell.

/** A text with the colon that makes it the name of a member, or where an object or an array begins or ends. */
const TOKEN = /("(?:[^"\\]|\\.)*")([ \t\r\n]*:)?|[{}[\]]/g;

/** Returns the names that any object in this well-formed JSON has more than once. */
export function findRepeatedMembers(json: string): string[] {
  const open: Set<string>[] = [];
  const repeated = new Set<string>();
  for (const [token, text = '', colon] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(text);
      if (open.at(-1)?.has(name)) repeated.add(name);
      open.at(-1)?.add(name);
    }
  }
  return [...repeated];
}
