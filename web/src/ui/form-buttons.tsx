// The buttons at the end of a form: Cancel, then what sends it. In a dialog they stay in view while the fields scroll,
// and hold it open during the call.
import { Button, Group } from '@mantine/core';
import { type ReactNode, use, useLayoutEffect } from 'react';
import { words } from '../words/index.ts';
import { CloseContext } from './close-context.ts';

/**
 * @param props.submit the text of the button that sends the form.
 * @param props.isDanger whether the form destroys something.
 * @param props.cancel what a page has in place of the button that closes a dialog.
 */
export function FormButtons(props: {
  submit: string;
  isBusy: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  cancel?: ReactNode;
}) {
  const { submit, isBusy, isDanger = false, isDisabled = false, cancel } = props;
  const dialog = use(CloseContext);
  const hold = dialog?.hold;
  useLayoutEffect(() => {
    hold?.(isBusy);
    return () => hold?.(false);
  }, [hold, isBusy]);
  return (
    <Group justify="flex-end" {...(dialog && { className: 'dialog-buttons' })}>
      {dialog ? (
        <Button variant="default" onClick={dialog.close} disabled={isBusy}>
          {words.common.cancel}
        </Button>
      ) : (
        cancel
      )}
      <Button type="submit" loading={isBusy} disabled={isDisabled} {...(isDanger && { color: 'red' })}>
        {submit}
      </Button>
    </Group>
  );
}
