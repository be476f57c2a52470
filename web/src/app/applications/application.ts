// An application, and the ready entries for programs, as the API lists them.
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';

export type Application = Calls['Application/GetAll']['result']['items'][number];
export type Template = Calls['Application/GetTemplates']['result'][number];
export type Kind = Application['kind'];

export const applicationsKey = ['applications'];

export const useApplications = () =>
  useQuery({ queryKey: applicationsKey, queryFn: () => latchkey.call('Application/GetAll') });

export const useTemplates = () =>
  useQuery({ queryKey: ['application-templates'], queryFn: () => latchkey.call('Application/GetTemplates') });

/** Returns the text with each `{{name}}` replaced by the answer of that name. Others stay. */
export const fill = (text: string, answers: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (found, name) => answers[name] ?? found);

/** Returns the values of a template with the answers filled in. */
export function fillValues({ values }: Template, answers: Readonly<Record<string, string>>): Template['values'] {
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = values;
  const fillAll = (uris: readonly string[]) => uris.map((uri) => fill(uri, answers));
  return {
    ...values,
    ...(redirectUris && { redirectUris: fillAll(redirectUris) }),
    ...(postLogoutRedirectUris && { postLogoutRedirectUris: fillAll(postLogoutRedirectUris) }),
    ...(backchannelLogoutUri && { backchannelLogoutUri: fill(backchannelLogoutUri, answers) }),
  };
}

/** Returns what was typed for an ask. People paste whole addresses of hosts. */
export const readAnswer = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');

/** Whether an answer can stand in an address: a host name with or without a port, or a scheme. */
export const isAnswer = (text: string): boolean => /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`);

/** Returns the lines or words that were typed, without empty ones. */
export const readList = (typed: string, separator: RegExp = /\s+/): string[] => [
  ...new Set(
    typed
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
