// Keyboard shortcuts of the pages. The list of them is `app/shortcuts-dialog.tsx`.
import { getHotkeyHandler } from '@mantine/hooks';
import { useLayoutEffect } from 'react';
import { findDialog } from './find-dialog.ts';

/** Where this browser keeps that single keys are no shortcuts (WCAG 2.2, 2.1.4). */
const CHOICE = 'latchkey::single-keys';

export const areSingleKeysOn = () => localStorage.getItem(CHOICE) !== 'off';

export function setSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(CHOICE);
  else localStorage.setItem(CHOICE, 'off');
}

/** The key that the shortcuts with `mod` need on this machine. @param named what other keyboards have on that key. */
export const modKey = (named: string) => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : named);

/** Whether typing at this element writes text. */
const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The open dialog, or else the page. */
const findStage = (): Element => [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.body;

/**
 * Presses the button with `aria-keyshortcuts="Control+S"`. Without one, presses the button that submits the form that has the focus,
 * or the only form of the dialog or page. A disabled button stays so.
 */
function save(): void {
  const stage = findStage();
  const button = stage.querySelector<HTMLElement>('[aria-keyshortcuts="Control+S"]:not(:disabled)');
  if (button) {
    button.click();
    return;
  }
  const forms = [...stage.querySelectorAll('form')];
  const own = document.activeElement?.closest('form') ?? (forms.length === 1 ? forms[0] : undefined);
  own?.querySelector<HTMLElement>('[type=submit]:not(:disabled)')?.click();
}

/** @returns whether the page has a search field. */
function focusSearch(): boolean {
  const field = findStage().querySelector<HTMLInputElement>('input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** A dialog holds what was typed or is shown once: the palette would lead away from it. */
const isDialogOpen = () => findDialog() !== undefined;

/** Listens to the shortcuts from the moment when the page shows. @param openPalette must not change. @param openHelp must not change. */
export function useShortcuts(openPalette: () => void, openHelp: () => void): void {
  useLayoutEffect(() => {
    const handleCombinations = getHotkeyHandler([
      ['mod+K', () => !isDialogOpen() && openPalette()],
      ['mod+S', save],
    ]);
    const onKey = (event: KeyboardEvent) => {
      handleCombinations(event);
      const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return;
      if (isTextField(event.target) || !areSingleKeysOn()) return;
      if (key === '?') openHelp();
      else if (key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [openPalette, openHelp]);
}
