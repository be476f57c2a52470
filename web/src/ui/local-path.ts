// Redirects inside the pages go to local paths only.

/** The path if it leads to a page of this service, else where everybody begins. */
export function toLocalPath(text: string | null, home = '/app'): string {
  if (text === null || !/^\/[^/\\]/.test(text)) return home;
  const url = new URL(text, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : home;
}
