// Parts of the application that load when they are shown, with the style sheets that the first view has not.
import type { ComponentType } from 'react';
import { lazyComponent } from '../ui/part.ts';

const moreStyles = () => import('./more-styles.ts');

/** For a part whose style sheets are there already, or load with it. */
export const ownStyles = async () => {};

/**
 * Returns the component that `load` finds. It loads when it is shown for the first time, and throws `PartFailure` if it
 * cannot. @param loadStyles loads its style sheets.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loadStyles: () => Promise<unknown> = moreStyles,
): ComponentType<Props> {
  let hasFailed = false;
  return lazyComponent(async () => {
    if (hasFailed) await restoreStyles();
    hasFailed = true;
    const [part] = await Promise.all([load(), loadStyles()]);
    hasFailed = false;
    return part;
  });
}

/** Requests the style sheets again that have failed: the loader of Vite requests each one once. */
async function restoreStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  const restore = (link: HTMLLinkElement) =>
    new Promise((resolve, reject) => {
      const again = { rel: 'stylesheet', href: link.href, onload: resolve, onerror: reject };
      link.replaceWith(Object.assign(document.createElement('link'), again));
    });
  await Promise.all(links.filter(({ sheet }) => sheet === null).map(restore));
}
