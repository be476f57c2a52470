// The setting with the application's name and colour, in messages and on pages.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

export const applicationSetting = defineSetting({
  name: 'Latchkey.Application',
  scope: 'general',
  category: 'Application',
  label: 'Application',
  description: 'The name by which people know this application, and the colour of its pages.',
  kind: 'compound',
  order: 400,
  public: true,
  schema: Type.Object({
    name: Type.String({
      title: 'Name',
      description: 'Shown on the pages and in messages.',
      minLength: 1,
      maxLength: 60,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    }),
    colour: Type.Enum(['blue', 'cyan', 'grape', 'gray', 'green', 'indigo', 'orange', 'pink', 'red', 'teal', 'violet'], {
      title: 'Colour',
      description: 'The colour of buttons and links. Each colour is legible in light and in dark mode.',
    }),
  }),
  default: { name: 'Latchkey', colour: 'blue' },
});
