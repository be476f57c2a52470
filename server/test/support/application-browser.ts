// The browser of a person, as a server-rendered application sees it.

export const APP = 'http://localhost:3000';

/** A browser that keeps the cookies of the application. */
export function openBrowser(headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  return {
    jar,
    to(url = `${APP}/`, method = 'GET') {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      return new Request(url, { method, headers: { ...headers, ...(cookie !== '' && { cookie }) } });
    },
    keep({ headers: given }: { headers: Headers }) {
      for (const line of given.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0\b/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
    },
  };
}
