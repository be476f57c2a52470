// Parts of the application that load when they are shown, with the style sheets that the first view has not.
import { type ComponentType, lazy } from 'react';

/** Returns the component that `load` finds. It loads when it is shown for the first time. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const [part] = await Promise.all([load(), import('./more-styles.ts')]);
    return { default: part };
  });
