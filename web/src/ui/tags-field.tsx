// A field for several tags, typed or chosen from a list. The list covers the fields below: it closes when a tag is added.
import { TagsInput, type TagsInputProps } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { useState } from 'react';

function refocus({ currentTarget }: { currentTarget: EventTarget | null }) {
  if (!(currentTarget instanceof HTMLElement)) return;
  currentTarget.blur();
  currentTarget.focus();
}

export function TagsField({ onChange, comboboxProps, ...props }: TagsInputProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  return (
    <TagsInput
      {...props}
      acceptValueOnBlur
      // Beside the page's landmarks, the list would be out of a screen reader's reach.
      comboboxProps={{ withinPortal: false, ...comboboxProps }}
      onChange={(tags) => {
        onChange?.(tags);
        setOpen(false);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={open}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={(typed) => typed !== '' && open()}
      onClick={open}
      // What is typed is a tag when the field loses the focus, and Ctrl S takes none away.
      onKeyDown={getHotkeyHandler([['mod+S', refocus, { preventDefault: false }]])}
    />
  );
}
