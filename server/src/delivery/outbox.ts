// The development outbox: the channel while no gateway is configured. The API and the terminal show its messages.
import type { Medium } from '../foundation/medium.ts';
import type { Channel } from './channel.ts';

/** The name of the channel. In production the service does not start with it. */
export const OUTBOX = 'outbox';

/** @param print writes to the terminal, not to the log, because messages hold pins and logs are kept. */
export function createOutboxChannel(means: Medium, print: (text: string) => void): Channel {
  return {
    name: OUTBOX,
    means,
    async send({ to, subject, text }) {
      const lines = [...(subject === undefined ? [] : [subject, '']), ...text.trimEnd().split('\n')];
      print(`\n  ${means === 'sms' ? 'SMS' : 'E-mail'} to ${to}\n${lines.map((line) => `  | ${line}`).join('\n')}\n\n`);
    },
  };
}
