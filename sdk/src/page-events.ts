// The page, if there is one: what counts as activity of the user, and when the page is shown again.

/**
 * Whether the client runs in a page. On a server, in a worker or in a program there is none: no user to watch, no tabs, and
 * no storage that only this user's code reads.
 */
export const hasPage = (): boolean => typeof document !== 'undefined';

/** The events that count as activity of the user. Requests in the background do not count. */
const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'touchstart', 'wheel', 'scroll'] as const;

export const isHidden = (): boolean => hasPage() && document.visibilityState === 'hidden';

type PageListeners = {
  readonly onActivity: () => void;
  /** The page is shown, also when it comes out of the browser's cache of pages, or is hidden. */
  readonly onShow: () => void;
  /** The user returns to the page, from another tab or window. */
  readonly onReturn: () => void;
  /** Another tab has written to a storage. No key: it has cleared one. */
  readonly onStorage: (event: StorageEvent) => void;
};

/** Calls the listeners at these events of the page. @returns a function that removes the listeners. */
export function listenToPage({ onActivity, onShow, onReturn, onStorage }: PageListeners): () => void {
  if (!hasPage()) return () => {};
  const onVisibility = () => (isHidden() ? onShow() : onReturn());
  // A page that loads is shown too, and its client has just read the present state.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && onShow();
  const change = (how: 'addEventListener') => {
    for (const event of activityEvents) globalThis[how](event, onActivity, { passive: true, capture: true });
    document[how]('visibilitychange', onVisibility);
    globalThis[how]('focus', onReturn);
    globalThis[how]('pageshow', onPageShow);
    globalThis[how]('storage', onStorage);
  };
  change('addEventListener');
  // It takes the same arguments.
  return () => change('removeEventListener' as string as 'addEventListener');
}
