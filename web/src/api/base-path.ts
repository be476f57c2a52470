// The base path: where the installation is on its host. The files of the build are in one folder below it.

/** The path of the public URL, as `/auth`. Empty: the service has the host for itself. */
export const basePath = /^(.*)\/assets\//.exec(new URL(import.meta.url).pathname)?.[1] ?? '';

/** Returns the path on the host. @param path of the service, which begins with a slash. */
export const at = (path: string): string => basePath + path;

/** Returns the path of this page within the service. */
export const pagePath = (): string => {
  const { pathname } = location;
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
};
