// The setting that says what the application is called, in messages and on pages.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

export const applicationSetting = defineSetting({
  name: 'Latchkey.Application',
  scope: 'general',
  category: 'Application',
  label: 'Application',
  description: 'What people know this application as, and the colour of its pages.',
  kind: 'compound',
  order: 400,
  public: true,
  schema: Type.Object({
    name: Type.String({
      title: 'Name',
      description: 'Stands on the pages and in messages.',
      minLength: 1,
      maxLength: 60,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    }),
    colour: Type.Enum(['blue', 'cyan', 'grape', 'gray', 'green', 'indigo', 'orange', 'pink', 'red', 'teal', 'violet'], {
      title: 'Colour',
      description: 'Of buttons and links. Each has shades that can be read in light and in dark.',
    }),
  }),
  default: { name: 'Latchkey', colour: 'blue' },
});
