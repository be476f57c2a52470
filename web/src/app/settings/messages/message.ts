// Messages: the settings that have the texts of one kind of message each.
import type { Definition } from '../definition.ts';

export const isMessage = ({ schema }: Definition) => schema['x-placeholders'] !== undefined;

/** Returns the label without "Message:", which all of them begin with, in every language. */
export function shortLabel({ label }: Definition): string {
  const short = label.slice(label.indexOf(':') + 1).trim();
  return short.charAt(0).toLocaleUpperCase(document.documentElement.lang) + short.slice(1);
}

/** Returns the means by which the message can be sent. */
export const meansOf = ({ schema: { properties = {} } }: Definition): ('email' | 'sms')[] => [
  ...('text' in properties ? (['email'] as const) : []),
  ...('sms' in properties ? (['sms'] as const) : []),
];
