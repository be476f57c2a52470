// A dialog over the page. Escape and the cross close it, unless its content must be read first. So does a click outside,
// unless it would drop what was typed. Whoever closes a form with changes is asked first. Nothing closes it during a call.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { words } from '../words/index.ts';
import { CloseContext } from './close-context.ts';
import { useFocusReturn } from './focus-return.ts';
import { useOpenDialog } from './open-dialogs.ts';
import { Stay } from './stay.tsx';

/** What text is typed into, or chosen in. */
const FIELDS = 'form, textarea, input:not([type=checkbox], [type=radio])';

/** Composed from parts: the default header is a `header` element, which screen readers take for a second page banner. */
export function Dialog(props: {
  isOpen: boolean;
  onClose: () => void;
  title: string | undefined;
  isWide?: boolean;
  /** Whether only the content closes it. */
  isHeld?: boolean;
  /** Whether a call is under way. The buttons of a form tell it themselves. */
  isBusy?: boolean;
  /** Whether a call in it brings what is shown once. The reader stays on the page meanwhile. */
  showsOnce?: boolean;
  children: ReactNode;
}) {
  const { isOpen, onClose, title, isWide = false, isHeld = false, isBusy = false, showsOnce, children } = props;
  const content = useRef<HTMLDivElement>(null);
  const [hasChanged, note] = useFormerValues(content);
  const [isAsking, setAsking] = useState(false);
  const [isFormBusy, hold] = useState(false);
  const isCalling = isBusy || isFormBusy;
  const { zIndex, isTop } = useOpenDialog(isOpen);
  useFocusReturn(isOpen, content);
  const close = () => (hasChanged() ? setAsking(true) : onClose());
  const closeUntyped = () => {
    if (!isHeld && !isCalling && !content.current?.querySelector(FIELDS)) onClose();
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => isTop() && close()}
      zIndex={zIndex}
      centered
      size={isWide ? 'lg' : 'md'}
      returnFocus={false}
      closeOnEscape={!isHeld && !isCalling && !isAsking}
      closeOnClickOutside={false}
    >
      <Modal.Overlay onClick={closeUntyped} />
      {/* Mantine names it by its title only after it is shown: a screen reader would have told a dialog without a name. */}
      <Modal.Content
        ref={content}
        className="dialog"
        aria-label={title}
        onFocusCapture={note}
        onPointerDownCapture={note}
      >
        <Group justify="space-between" wrap="nowrap" align="flex-start" p="md" pb={0}>
          <Modal.Title style={{ fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere', textWrap: 'balance' }}>
            {title}
          </Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={words.common.close} disabled={isCalling} />}
        </Group>
        <Modal.Body pt="md">
          <CloseContext value={{ close, hold }}>{children}</CloseContext>
          {showsOnce && isCalling && !isHeld && <Stay />}
        </Modal.Body>
      </Modal.Content>
      <Question
        isOpen={isOpen && isAsking}
        onStay={() => setAsking(false)}
        onLeave={() => {
          setAsking(false);
          onClose();
        }}
      />
    </Modal.Root>
  );
}

/** Asks before changes are dropped. */
function Question({ isOpen, onStay, onLeave }: { isOpen: boolean; onStay: () => void; onLeave: () => void }) {
  const { discardTitle, discardText, discard, keepEditing } = words.common;
  if (!isOpen) return null;
  return (
    <Dialog isOpen onClose={onStay} title={discardTitle}>
      <Stack>
        <Text size="sm">{discardText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            {keepEditing}
          </Button>
          <Button color="red" onClick={onLeave}>
            {discard}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const readValue = (field: Field): string =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type) ? String(field.checked) : field.value;

const readValues = (form: HTMLFormElement) =>
  new Map([...form.querySelectorAll<Field>('input, select, textarea')].map((field) => [field, readValue(field)]));

/** Fields that were added have no former value. Where some are gone, the others may stand for them. */
function differ(form: HTMLFormElement, former: ReadonlyMap<Field, string>): boolean {
  const fields = [...former.keys()];
  if (fields.every((field) => form.contains(field)))
    return fields.some((field) => readValue(field) !== former.get(field));
  return [...readValues(form).values()].join('\n') !== [...former.values()].join('\n');
}

/**
 * Keeps the first values of the fields in the dialog's form: when the form is first focused, or the field was added.
 * @returns whether the form has other values now, and what to call before they can change.
 */
function useFormerValues(content: { readonly current: HTMLElement | null }) {
  const former = useRef<{ form: HTMLFormElement; values: ReadonlyMap<Field, string> }>(undefined);
  const findForm = () => content.current?.querySelector('form');
  const hasChanged = () => {
    const form = findForm();
    return form && form === former.current?.form ? differ(form, former.current.values) : false;
  };
  const note = () => {
    const form = findForm();
    if (form && !hasChanged()) former.current = { form, values: readValues(form) };
  };
  return [hasChanged, note] as const;
}
