// The buttons at the end of a form in a dialog.
import { Button, Group } from '@mantine/core';
import { words } from '../words/index.ts';

/** @param props.submit the text of the button that sends the form. */
export function FormButtons({ submit, isBusy, onClose }: { submit: string; isBusy: boolean; onClose: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {words.common.cancel}
      </Button>
      <Button type="submit" loading={isBusy}>
        {submit}
      </Button>
    </Group>
  );
}
