// A webhook and its deliveries, as the API lists them, and in words.
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { describeMessage } from '../../ui/problem.ts';
import { translate, words } from '../../words/all.ts';
import { nameOf } from '../audit/entry.ts';

export type Webhook = Calls['Webhook/GetAll']['result']['items'][number];
export type Delivery = Calls['Webhook/GetDeliveries']['result']['items'][number];

export const webhooksKey = ['webhooks'];

/** How often a page asks what came of deliveries. */
const REFETCH_MS = 3000;

export const useWebhooks = () =>
  useQuery({
    queryKey: webhooksKey,
    queryFn: () => latchkey.call('Webhook/GetAll'),
    // A delivery changes the state of its webhook.
    refetchInterval: REFETCH_MS,
  });

export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: [...webhooksKey, id, 'deliveries'],
    queryFn: () => latchkey.call('Webhook/GetDeliveries', { id }),
    refetchInterval: REFETCH_MS,
  });

/** Returns what lists call the webhook. */
export const titleOf = ({ description, url }: Pick<Webhook, 'description' | 'url'>) =>
  description.trim() || new URL(url).host;

/** The event that tells the head of the chain over the trail. The trail itself has no entry of it. */
export const HEAD_EVENT = 'audit.head';

/** Returns what a pattern of events stands for: "Sign-in with a password", "All: Sign-in". */
export function describePattern(pattern: string): string {
  const { allEvents, allOf, test, head } = words.webhooks.events;
  if (pattern === '*') return allEvents;
  if (pattern === 'webhook.test') return test;
  if (pattern === HEAD_EVENT) return head;
  const [group = '', name] = pattern.split('.');
  return name === '*' ? allOf(translate(words.audit.groups, group)) : nameOf(pattern);
}

/** Returns why a try failed, in the reader's language. The service ends some reasons with a code, such as ECONNREFUSED. */
export function describeFailure({ status, error }: Pick<Delivery, 'status' | 'error'>): string | undefined {
  const { errors, answered } = words.webhooks.deliveries;
  if (error === null) return undefined;
  if (status !== null) return answered(status);
  const [, sentence, code] = /^(.+): (\w+)\.$/.exec(error) ?? [];
  const told = sentence === undefined ? error : `${sentence}.`;
  const translated = translate(errors, told);
  const text = translated === told ? describeMessage(told, (member) => member) : translated;
  return code === undefined ? text : `${text} (${code})`;
}
