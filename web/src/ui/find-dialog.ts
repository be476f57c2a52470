// The top dialog over the page.

/** @param closing a dialog that is not meant: it stays in the document until its animation ends. */
export const findDialog = (closing?: Element | null): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[aria-modal=true]')].findLast((one) => one !== closing);
