// Gives the focus to an element when it appears, as its `ref`. Preact leaves `autoFocus` to the browser, which looks at it once a page.
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
