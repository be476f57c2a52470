// The events of the page: what counts as activity of the user, and when the page is shown again.

/** The events that count as activity of the user. Requests in the background do not count. */
const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'touchstart', 'wheel', 'scroll'] as const;

/** Calls the listeners at these events. @returns a function that removes the listeners. */
export function listenToPage(onActivity: () => void, onVisible: () => void): () => void {
  for (const event of activityEvents) addEventListener(event, onActivity, { passive: true, capture: true });
  document.addEventListener('visibilitychange', onVisible);
  addEventListener('pageshow', onVisible);
  return () => {
    for (const event of activityEvents) removeEventListener(event, onActivity, { capture: true });
    document.removeEventListener('visibilitychange', onVisible);
    removeEventListener('pageshow', onVisible);
  };
}
