// Parts of the application that load when they are shown, with the style sheets that the first view has not.
import type { ComponentType } from 'react';
import { lazyComponent, type Part } from '../ui/part.ts';

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
): Part<Props> {
  return lazyComponent(async () => {
    const [part] = await Promise.all([load(), loadStyles()]);
    return part;
  });
}
