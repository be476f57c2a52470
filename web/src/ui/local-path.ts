// Local paths: redirects inside the pages stay on this service.

/** Returns the path if it leads to a page of this service, else `home`. */
export function toLocalPath(text: string | null, home = '/app'): string {
  if (text === null || !/^\/[^/\\]/.test(text)) return home;
  const url = new URL(text, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : home;
}
