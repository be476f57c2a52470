// A field for a colour: typed as #rrggbb, or picked.
import { TextInput } from '@mantine/core';
import { isHexColour } from '../../../ui/colour.ts';
import { WHITE } from '../../../ui/tokens.ts';
import './colour-field.css';

export function ColourField(props: {
  name: string;
  label: string;
  description: string | undefined;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { name, label, description, value, onChange, error } = props;
  return (
    <TextInput
      name={name}
      label={label}
      description={description}
      maxLength={7}
      spellCheck={false}
      autoCapitalize="none"
      maw={260}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim().toLowerCase())}
      error={error}
      leftSection={
        <input
          type="color"
          className="colour-picker"
          aria-label={label}
          // A picker always has a colour.
          value={isHexColour(value) ? value : WHITE}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  );
}
